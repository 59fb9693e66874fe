import { describe, expect, test } from 'vitest'
import { fakePassage } from '../../test/support/mcp/mcp-fakes.ts'
import type { Passage } from '#search/passage.ts'
import type { Found } from './answer.ts'
import { judgeQuestion } from './confidence.ts'

const QUESTION = 'Which oil keeps the sprocket of the left wheel quiet during long nights?'
const OIL = 'Fine oil keeps the sprocket of the left wheel quiet during long nights.'

const confidenceOf = (question: string, passages: readonly Partial<Passage>[], given: Partial<Found> = {}) =>
  judgeQuestion(question, {
    passages: passages.map((passage) => fakePassage({ title: '', heading: '', url: 'https://a.example/', ...passage })),
    words: [],
    agreement: 0.6,
    ...given,
  }).confidence

/** The levels of an answer while the agreement of the search grows. */
function levelsOf(question: string, passage: string): string[] {
  const levels = Array.from({ length: 201 }, (_, at) =>
    confidenceOf(question, [{ passage }], { agreement: at / 100 - 1 }),
  )
  return levels.filter((level, at) => level !== levels[at - 1])
}

test.each([
  ['a question', QUESTION, OIL],
  ['a question after a description', `I have an old bicycle. ${QUESTION}`, OIL],
  [
    'a question in a language with endings',
    'Welches Öl schützt jedes Ritzel von dem linken Rad gegen Schmutz?',
    'Das feine Öl hält jedes Ritzel von dem linken Rad im Winter leise, und es ist nicht teuer.',
  ],
])('gives each level in turn as the search agrees more, for %s', (_, question, passage) => {
  expect(levelsOf(question, passage)).toEqual(['none', 'low', 'medium', 'high'])
})

describe('the confidence in an answer', () => {
  const at = (passage: string, agreement = 0.35, other: Partial<Passage>[] = []) =>
    confidenceOf(QUESTION, [{ passage }, ...other], { agreement })

  test('is less for a section with less of the question', () => {
    expect(at(OIL)).not.toBe('none')
    expect(at('The wheel is quiet.')).toBe('none')
  })

  test('needs less agreement for a question in another language, and for one after a description', () => {
    /** The least agreement for a medium answer from a passage with every word of the question. */
    const least = (question: string, passage: string) =>
      Array.from({ length: 201 }, (_, step) => step / 100 - 1).find((agreement) =>
        ['medium', 'high'].includes(confidenceOf(question, [{ passage }], { agreement })),
      ) ?? 2
    const english = least('Which oil keeps the sprocket quiet?', 'The oil keeps the sprocket quiet.')
    const german = 'Das Öl hält das Ritzel leise, und es ist nicht teuer.'
    expect(least('Welches Öl hält das Ritzel leise?', german)).toBeLessThan(english - 0.2)
    const described = 'The wheel rattles. The oil keeps the sprocket quiet.'
    expect(least('The wheel rattles. Which oil keeps the sprocket quiet?', described)).toBeLessThan(english - 0.15)
  })

  test('is not high for a section without the property that the question asks for', () => {
    const sold = (text: string) =>
      confidenceOf('What is the price of a support contract?', [{ passage: text }], { agreement: 0.9 })
    expect(sold('The price of a support contract is 90 euros a year.')).toBe('high')
    expect(sold('Every support contract begins with the support that a contract is about.')).toBe('medium')
  })

  test('is less for words in several sentences than in one', () => {
    const scattered = 'Fine oil. It keeps. A sprocket. The left. A wheel. Quiet. During. Long. Nights.'
    const levels = ['none', 'low', 'medium', 'high']
    const thresholds = [OIL, scattered].map(
      (passage) =>
        Array.from({ length: 101 }, (_, step) => step / 100).find(
          (agreement) => levels.indexOf(at(passage, agreement)) >= 2,
        ) ?? 1,
    )
    expect(thresholds[1]).toBeGreaterThan(thresholds[0] ?? 1)
  })

  test('is low if the thing asked for is in no sentence, and the words only lie about', () => {
    const ask = (passage: string) =>
      confidenceOf('send a text message when the sprocket fails', [{ passage }], { agreement: 0.9 })
    const others = 'When it fails, send it back. The sprocket is new.'
    expect(ask(`A text is short. A message is long. ${others}`)).toBe('low')
    expect(ask(`A text message is short. ${others}`)).not.toBe('low')
  })

  test('counts the words of a later section that is shown, and not of one that is not', () => {
    const others = (place: number) =>
      [0, 1, 2, 3].map((index) => ({ url: `https://a.example/${index}`, passage: index === place ? OIL : 'A lid.' }))
    expect(at('The wheel.', 0.6, others(0))).not.toBe('none')
    expect(at('The wheel.', 0.6, others(3))).toBe('none')
  })

  test('is high only if the page is clearly ahead of the others', () => {
    const next = (score: number) => [{ score, url: 'https://a.example/next', passage: 'A shed.' }]
    const levelAt = (score: number) =>
      confidenceOf(QUESTION, [{ score: 10, passage: OIL }, ...next(score)], { agreement: 0.65 })
    expect(levelAt(9.9)).toBe('medium')
    expect(levelAt(3)).toBe('high')
  })

  test('counts corrected words of the question', () => {
    const question = 'Which oyl keps the sproket quiet?'
    const words = ['oyl oil', 'keps keeps', 'sproket sprocket'].map((pair) => pair.split(' ') as [string, string])
    expect(confidenceOf(question, [{ passage: OIL }], { repaired: words })).toBe('medium')
    expect(confidenceOf(question, [{ passage: OIL }])).toBe('none')
  })
})

describe('a question with a name', () => {
  const ask = (question: string, passages: readonly Partial<Passage>[], given: Partial<Found> = {}) =>
    confidenceOf(question, passages, { agreement: 1, ...given })
  const oil = { passage: 'Fine oil keeps the sprocket quiet during long nights.' }

  test('has low confidence if no shown section has the name', () => {
    expect(ask('Which fine oil keeps the sprocket quiet?', [oil])).toBe('high')
    expect(ask('Which fine oil keeps the Zorptar sprocket quiet?', [oil])).toBe('low')
    expect(ask('Which fine oil keeps the sprocket_12 quiet?', [oil])).toBe('low')
  })

  test.each([
    ['text', { passage: 'Zorptar has this.' }],
    ['title', { title: 'Zorptar' }],
    ['heading', { heading: 'Zorptar' }],
    ['address', { url: 'https://zorptar.example/' }],
  ])('finds the name in the %s of a shown section', (_, second) => {
    expect(ask("Which fine oil keeps Zorptar's sprocket quiet?", [oil, { passage: 'A lid.', ...second }])).not.toBe(
      'low',
    )
  })

  test.each([
    ['Which fine oil keeps the Aws sprocket quiet?', 'It draws well.', 'low'],
    ['Which fine oil keeps the Zorptar sprocket quiet?', 'Of all Zorptars.', 'high'],
    ['Which fine oil keeps the Red Zorptar quiet?', 'The Red Zorptar.', 'high'],
    ['Which fine oil keeps the Red Zorptar quiet?', 'The Zorptar.', 'low'],
    ['Which fine oil keeps the Red, Zorptar sprocket quiet?', 'The Zorptar.', 'high'],
    ['Which fine oil should I keep?', 'The oil.', 'high'],
  ])('looks for the whole words of the name together: %s – %s', (question, passage, level) => {
    const level_ = ask(question, [{ passage: `${oil.passage} ${passage}` }, { passage: 'Red.' }])
    expect(level_ === 'low').toBe(level === 'low')
  })

  test('does not need the name that most pages have', () => {
    const question = 'Which fine oil keeps the Zorptar sprocket quiet?'
    const words = (share: number) => [{ word: 'Zorptar', share }]
    expect(ask(question, [oil], { words: words(0.1) })).not.toBe('low')
    expect(ask(question, [oil], { words: words(0.099) })).toBe('low')
  })

  test('does not need the names of a description', () => {
    expect(ask('I ride a Zorptar. Which fine oil keeps the sprocket quiet?', [oil])).not.toBe('low')
  })
})
