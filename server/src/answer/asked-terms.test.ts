import { expect, test } from 'vitest'
import { fakePassage } from '../../test/support/mcp/mcp-fakes.ts'
import { askedTerms, coveredTerms, shareOf } from './asked-terms.ts'

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
  ['Wie alt ist die Automarke?', 'Das Automobil ist alt.', 0.5],
])('finds compounds and other forms of the words of %j in %j', (question, text, share) => {
  const terms = asked(question, GERMAN)
  expect(shareOf(coveredTerms(text, terms), terms)).toBeCloseTo(share)
})

test('keeps English words apart that begin alike', () => {
  const terms = asked('Where is the carton?', ENGLISH)
  expect(coveredTerms('The cartoon is here.', terms).size).toBe(0)
})
