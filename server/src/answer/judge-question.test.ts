import { describe, expect, test } from 'vitest'
import { fakePassage } from '../../test/support/mcp/mcp-fakes.ts'
import type { Passage } from '#search/passage.ts'
import { answerFromPassages } from './extractive.ts'

/** Simulates a search whose signals agree. */
const answerFrom = (question: string, passages: Passage[]) =>
  answerFromPassages(question, { passages, words: [], agreement: 0.6 })

describe('high confidence', () => {
  const confidenceFor = (question: string, passage: Partial<Passage>) =>
    answerFrom(question, [fakePassage(passage)]).confidence

  test('is confident about a short question only with the beginning of a section on its topic', () => {
    const text = 'Globbing in zsh has many rules.'
    const heading = 'Globbing in zsh'
    expect(confidenceFor('How does globbing work in zsh?', { heading, passage: `## ${heading}\n\n${text}` })).toBe(
      'high',
    )
    expect(confidenceFor('How does globbing work in zsh?', { heading, passage: text })).toBe('medium')
    expect(
      confidenceFor('How does globbing work in zsh?', { heading: 'Options', passage: `## Options\n\n${text}` }),
    ).toBe('medium')
  })

  test('is confident only if the best page is clearly ahead of the others', () => {
    const best = fakePassage({ score: 10, passage: 'Oil every sprocket of the left wheel twice a year.' })
    const next = (score: number) =>
      fakePassage({
        rank: 2,
        score,
        url: 'https://a.example/next',
        heading: 'Sheds',
        passage: 'A shed keeps rain away.',
      })
    const question = 'How often a year must I oil every sprocket of the left wheel?'
    expect(answerFrom(question, [best, next(9)]).confidence).toBe('medium')
    expect(answerFrom(question, [best, next(5)]).confidence).toBe('high')
  })
})

/** The levels of an answer while the agreement of the search grows. */
function levelsOf(question: string, passage: Partial<Passage>): string[] {
  const levels = Array.from({ length: 121 }, (_, at) => {
    const found = { passages: [fakePassage(passage)], words: [], agreement: at / 100 }
    return answerFromPassages(question, found).confidence
  })
  return levels.filter((level, at) => level !== levels[at - 1])
}

const care = { title: 'Care', heading: '', passage: 'Fine oil keeps every sprocket of the left wheel quiet in winter.' }
const pflege = {
  title: 'Pflege',
  heading: '',
  passage: 'Das feine Öl hält jedes Ritzel von dem linken Rad im Winter leise, und es ist nicht teuer.',
}

test.each([
  ['a question', 'Which oil keeps every sprocket of the left wheel quiet in winter?', care],
  [
    'a question after a description',
    'I have an old bicycle. Which oil keeps every sprocket of the left wheel quiet in winter?',
    care,
  ],
  [
    'a question in a language with endings',
    'Welches Öl schützt jedes Ritzel von dem linken Rad gegen Schmutz?',
    pflege,
  ],
])('gives each level in turn as the search agrees more, for %s', (_, question, passage) => {
  expect(levelsOf(question, passage)).toEqual(['none', 'low', 'medium', 'high'])
})

describe('a complete answer', () => {
  const question = 'Which oil keeps the sprocket of the left wheel quiet during winter nights?'
  const answers = (count: number) =>
    Array.from({ length: count }, (_, at) => `Rule ${at} names what else there is to say about brass fittings.`).join(
      ' ',
    )
  const first = 'Fine oil keeps the sprocket of the left wheel quiet.'

  test('is confident only if the answer quotes most of its section', () => {
    expect(answerFrom(question, [fakePassage({ passage: `${first} ${answers(3)}` })]).confidence).toBe('high')
    expect(answerFrom(question, [fakePassage({ passage: `${first} ${answers(30)}` })]).confidence).toBe('medium')
  })

  test('accepts a shorter quotation if one sentence contains nearly the whole question', () => {
    const sentence = 'Fine oil keeps the sprocket of the left wheel quiet during winter nights.'
    expect(answerFrom(question, [fakePassage({ passage: `${sentence} ${answers(30)}` })]).confidence).toBe('high')
  })
})

test('is not confident if only code that is too long to quote has the words of the question', () => {
  const code = [
    'sprocket oil --left-wheel --quiet',
    ...Array.from({ length: 60 }, (_, at) => `sprocket wait ${at} days`),
  ]
  const passage = `## Care\n\nThe left wheel needs oil. Fine oil keeps a sprocket quiet.\n\n\`\`\`\n# Oil a sprocket of the left wheel each winter night\n${code.join('\n')}\n\`\`\``
  const found = { passages: [fakePassage({ passage })], words: [], agreement: 0.6 }
  const asked = 'How do I oil the sprocket of the left wheel each winter night?'
  expect(answerFromPassages(asked, found)).toMatchObject({
    confidence: 'medium',
    answer: expect.not.stringContaining('wait'),
  })
})

test('lowers the threshold for languages with compounds and many endings', () => {
  const answerIn = (question: string, passage: string) =>
    answerFromPassages(question, {
      passages: [fakePassage({ title: '', heading: '', passage })],
      words: [],
      agreement: 0.5,
    }).confidence
  const german = 'Die Zilie ist ein Auswuchs der Zelle und dient der Bewegung der Flüssigkeit in den Organen.'
  const english = 'The cilium is an outgrowth of the cell and serves the motion of the liquid in the organs.'
  expect(answerIn('Wofür werden Zilien in Zellen bei der Bewegung verwendet?', german)).not.toBe('none')
  expect(answerIn('What are the flagella good for with the motion of plankton?', english)).toBe('none')
})

test('gives low confidence to a short question if no section has all its terms', () => {
  const passage = fakePassage({
    heading: 'Configure ovens',
    passage: '## Configure ovens\n\nConfigure an oven with its buttons.',
  })
  expect(answerFrom('How do I configure an oven?', [passage]).confidence).toBe('high')
  expect(answerFrom('How do I configure an oven ingress?', [passage]).confidence).toBe('low')
})

test('declines a single word that the headings only mention', () => {
  const confidenceFor = (heading: string) =>
    answerFromPassages('replace', {
      passages: [
        fakePassage({ title: 'Manual', heading, passage: `## ${heading}\n\nReplace many parts, as said above.` }),
      ],
      words: [],
      agreement: 0.3,
    }).confidence
  expect(confidenceFor('Replace parts')).not.toBe('none')
  expect(confidenceFor('Replace many parts of old machines')).toBe('none')
})

test('answers doubtfully rather than not at all in other languages', () => {
  const passage = 'Der Turm der Stadt ist alt, und die Mauern sind nicht zu sehen, weil der Fluss das Tal füllt.'
  const confidenceAt = (agreement: number) =>
    answerFromPassages('Wie hoch ist der alte Turm der Burg?', {
      passages: [fakePassage({ title: '', heading: '', passage })],
      words: [],
      agreement,
    }).confidence
  expect(confidenceAt(0.45)).toBe('low')
  expect(confidenceAt(0.2)).toBe('none')
})

test('gives a table or code alone medium confidence at most', () => {
  const confidenceFor = (text: string) =>
    answerFrom('How does globbing work in zsh?', [
      fakePassage({ heading: 'Globbing in zsh', passage: `## Globbing in zsh\n\n${text}` }),
    ]).confidence
  expect(confidenceFor('Globbing in zsh has many rules.')).toBe('high')
  expect(confidenceFor('| Globbing | Rule |\n| --- | --- |\n| zsh | Many rules for globbing. |')).toBe('medium')
  expect(confidenceFor('```sh\nsetopt globbing # zsh\n```')).toBe('medium')
})

test('quotes only the release in the question', () => {
  const release = (version: string, rank: number) =>
    fakePassage({
      rank,
      title: 'Changes',
      heading: version,
      url: `https://a.example/#${version}`,
      passage: `## ${version}\n\nSprockets of ${version} turn ${rank} times.`,
    })
  const { answer } = answerFrom('What changed for sprockets in 2.1.0?', [release('2.0.0', 1), release('2.1.0', 2)])
  expect(answer).toContain('turn 2 times')
  expect(answer).not.toContain('turn 1 times')
})

test.each([
  ['upload://zsh/zsh.pdf', 'upload://octave/octave.pdf'],
  ['https://docs.zsh.example/a', 'https://octave.example/b'],
  ['https://zsh.github.io/a', 'https://octave.github.io/b'],
  ['https://github.com/zsh/zsh/blob/a.md', 'https://github.com/octave/octave/b.md'],
])('quotes only the source named in the question: %s', (zsh, octave) => {
  const { answer } = answerFrom('How do I set a prompt in zsh?', [
    fakePassage({ url: octave, sourceId: 'src_octave', passage: 'To set a prompt, set PS1 in the prompt settings.' }),
    fakePassage({ url: zsh, sourceId: 'src_zsh', rank: 2, score: 3, passage: 'The prompt is set with PROMPT.' }),
  ])
  expect(answer).toContain('with PROMPT')
  expect(answer).not.toContain('PS1')
})

test('quotes only pages below the folder of the product named in the question', () => {
  const passage = (folder: string, rank: number) =>
    fakePassage({
      rank,
      score: 11 - rank,
      url: `https://docs.example/${folder}/proxy`,
      passage: `The proxy of ${folder} is set in its settings.`,
    })
  const found = [passage('octave', 1), passage('zsh', 2)]
  expect(answerFrom('How do I set the proxy in zsh?', found).answer).not.toContain('octave')
  expect(answerFrom('How do I set the proxy?', found).answer).toContain('octave')
  // The pages of a guide are not about guides.
  const [guide, api] = [passage('guide', 1), passage('api', 2)]
  expect(answerFrom('How does the api set the proxy?', [guide, api]).answer).toContain('of guide')
})

test('answers a question with a name that no page has from a section with all its other words', () => {
  const words = ['fine', 'oil', 'keeps', 'sprocket', 'wheel', 'quiet'].map((word) => ({ word, share: 0.05 }))
  const { confidence } = answerFromPassages('Which fine oil keeps each sprocket of the Zorptar wheel quiet?', {
    passages: [
      fakePassage({ title: 'Care', heading: '', passage: 'Fine oil keeps each sprocket of the wheel quiet.' }),
    ],
    words: [...words, { word: 'Zorptar', share: 1e-6 }],
    agreement: 0.4,
  })
  expect(confidence).toBe('medium')
})
