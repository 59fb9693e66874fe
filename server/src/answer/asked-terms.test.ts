import { expect, test } from 'vitest'
import { fakePassage } from '../../test/support/mcp/mcp-fakes.ts'
import { askedTerms, coveredTerms, shareOf, languageOf } from './asked-terms.ts'

const GERMAN = 'Die Verteidigung der Stadt war mit den Mauern und dem Fluss nicht zu trennen, und der Weg ist lang.'
const ENGLISH = 'The defence of the town was not to be separated from the walls and the river, and the way is long.'

const asked = (question: string, passage: string) =>
  askedTerms(question, { words: [], passages: [fakePassage({ passage })] })

test.each([
  ['none', 'Which walls did the town have?', ENGLISH],
  ['endings', 'Welche Mauern hatte die Stadt?', GERMAN],
  ['none', 'Which walls did the town have?', GERMAN],
  ['none', 'Welche Mauern hatte die Stadt?', ENGLISH],
  ['script', '町の壁は何ですか', ENGLISH],
  ['endings', 'Welche Mauern hatte die Stadt?', 'Ulm, Augsburg, Regensburg, Speyer, Worms, Mainz'],
])('knows the forms of words (%s) for %j in %j', (forms, question, passage) =>
  expect(asked(question, passage).forms).toBe(forms),
)

test('leaves out the question words of other languages', () =>
  expect([...asked('Welche Mauern hatte die Stadt, und wo sind sie?', GERMAN).weights.keys()]).toHaveLength(2))

test.each([
  ['Wie hoch sind die Treibhausgase?', 'Die Treibhausgasemissionen sind hoch.', 1],
  ['Wer war der palästinensische Minister?', 'Das palästinensisches Amt hat einen Minister.', 1],
  ['Was ist ein physikalisches Gesetz?', 'Die Physik hat ein Gesetz.', 1],
  ['Wie alt ist die Automarke?', 'Das Automobil ist alt.', 0.5],
  ['Wie alt ist das Tor?', 'Der Motor ist alt.', 0.5],
])('finds compounds and other forms of the words of %j in %j', (question, text, share) => {
  const terms = asked(question, GERMAN)
  expect(shareOf(coveredTerms(text, terms), terms)).toBeCloseTo(share)
})

test('keeps English words apart that begin alike', () => {
  const terms = asked('Where is the carton?', ENGLISH)
  expect(coveredTerms('The cartoon is here.', terms).size).toBe(0)
})

test.each([
  ['en', 'Oil every sprocket of the wheel twice a year, and wipe it with a cloth that is dry.'],
  ['de', 'Die Verteidigung der Panthers gab nur 308 Punkte ab und belegte den sechsten Platz in der Liga.'],
  ['fr', 'La roue est dans la boîte avec les outils, et il faut une clé pour la sortir.'],
  ['es', 'La rueda está en la caja con las herramientas y se saca con una llave para el eje.'],
  ['it', 'La ruota è nella scatola con gli attrezzi e per il montaggio non serve una chiave.'],
  ['pt', 'A roda está na caixa com as ferramentas e não precisa de uma chave para o eixo.'],
  ['nl', 'Het wiel zit in de doos met het gereedschap en is niet voor een ander model.'],
  ['sv', 'Hjulet är i lådan med verktygen och det är inte för en annan modell.'],
  [null, 'const wheel = create({ teeth: 12 })'],
  [null, '蓮如以前の大坂はなんと発音されていたか'],
  [null, ''],
])('tells the language %s of %j', (language, text) => expect(languageOf(text)).toBe(language))

test('lets a word that no page has weigh little more than a rare one', () => {
  const words = [
    { word: 'walls', share: 0.001 },
    { word: 'town', share: 0.001 },
    { word: 'qwertz', share: 0 },
  ]
  const terms = askedTerms('Which walls of the town qwertz?', { words, passages: [fakePassage({ passage: ENGLISH })] })
  expect(shareOf(coveredTerms('The walls of the town.', terms), terms)).toBeGreaterThan(0.6)
})
