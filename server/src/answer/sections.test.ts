import { expect, test } from 'vitest'
import { fakePassage } from '../../test/support/mcp/mcp-fakes.ts'
import type { Passage } from '#search/passage.ts'
import { answerFromPassages } from './extractive.ts'

const ENTRIES = {
  definitions: `**Backlash**\n: Play between two teeth. It grows with wear.\n\n**Flank**\n: The side of a tooth.\n\n**Hyper Tooth Profile (HTP)**\n: A rounded tooth.`,
  'items of a list': `- **Backlash**: Play between two teeth. It grows with wear.\n- **Flank**: The side of a tooth.\n- **Hyper Tooth Profile (HTP)**: A rounded tooth.`,
  paragraphs: `**Backlash:** Play between two teeth. It grows with wear.\n\n**Flank:** The side of a tooth.\n\n**Hyper Tooth Profile (HTP):** A rounded tooth.`,
}

function answerTo(question: string, text: string) {
  const glossary = fakePassage({ title: 'Glossary', heading: '', passage: `# Glossary\n\n${text}` })
  return answerFromPassages(question, { passages: [glossary], words: [], agreement: 0.6 })
}

test.each(Object.entries(ENTRIES))('quotes one of several %s for the term that it defines', (_, text) => {
  const { answer, confidence } = answerTo('What is a flank?', text)
  expect(answer).toContain('The side of a tooth.')
  expect(answer).not.toContain('Play between')
  expect(answer).not.toContain('rounded')
  expect(confidence).not.toBe('none')
})

test.each(Object.entries(ENTRIES))('finds one of several %s by its abbreviation, with all sentences', (_, text) => {
  expect(answerTo('What does HTP mean?', text).answer).toContain('A rounded tooth.')
  const { answer } = answerTo('what is backlash', text)
  expect(answer).toContain('It grows with wear.')
  expect(answer).not.toContain('flank')
})

const ROWS = ['ERR_WORN', 'ERR_SLIP', 'ERR_HEAT', 'ERR_NOISE'].map(
  (code, at) =>
    `| \`${code}\` | Reason ${at}, ${'which a mechanic can find out with a lamp '.repeat(3)}| Look there. |`,
)

test('quotes one row of a long table for the code that it explains', () => {
  const { answer, confidence } = answerTo(
    'What does ERR_SLIP mean?',
    `All codes.\n\n| Code | Reason | Help |\n| --- | --- | --- |\n${ROWS.join('\n')}`,
  )
  expect(answer).toContain('Reason 1')
  expect(answer).not.toMatch(/Reason [023]/)
  expect(confidence).toBe('medium')
})

test('quotes one row of a table with empty first cells', () => {
  const rows = ROWS.map((row) => `|  ${row}`).join('\n')
  const { answer } = answerTo(
    'What does ERR_SLIP mean?',
    `All codes.\n\n|  | Code | Reason | Help |\n| --- | --- | --- | --- |\n${rows}`,
  )
  expect(answer).toContain('Reason 1')
  expect(answer).not.toMatch(/Reason [023]/)
})

test('quotes the row of an option without a section of examples that repeats its words', () => {
  const options = ['wear', 'slip', 'heat', 'noise'].map(
    (name) => `| \`--${name}\` | Shows ${name}${', as a lamp does'.repeat(12)}. |`,
  )
  const table = `| Option | Meaning |\n| --- | --- |\n${options.join('\n')}`
  const passages = [
    fakePassage({ title: 'gear', heading: '', url: 'https://a.example/gear', passage: `# gear\n\n${table}` }),
    fakePassage({
      rank: 2,
      score: 4,
      title: 'gear',
      heading: 'Examples',
      url: 'https://a.example/gear#examples',
      passage: '## Examples\n\nThe --slip rule does not slip today.',
    }),
  ]
  const { answer } = answerFromPassages('What does --slip do?', { passages, words: [], agreement: 0.6 })
  expect(answer).toContain('Shows slip')
  expect(answer).not.toContain('today')
})

test('is sure of a short table with a row for the code', () => {
  const table = '| Code | Reason |\n| --- | --- |\n| `ERR_WORN` | Worn teeth |\n| `ERR_SLIP` | Loose chain |'
  expect(answerTo('What does ERR_SLIP mean?', table)).toMatchObject({
    answer: expect.stringContaining('Loose chain'),
    confidence: 'medium',
  })
  // Another cell has the code.
  expect(answerTo('What does ERR_HEAT mean?', table.replace('Loose chain', 'Like ERR_HEAT')).confidence).toBe('low')
})

test('quotes more of a section if the question asks for more than one entry', () => {
  const { answer } = answerTo('How do backlash and flanks wear?', ENTRIES['items of a list'])
  expect(answer).toContain('Play between')
  expect(answer).toContain('The side')
})

const passages = [
  fakePassage({
    title: 'Guide',
    heading: 'Simple backlash measuring',
    url: 'https://a.example/guide',
    passage: '## Simple backlash measuring\n\nMeasure backlash with a gauge. Backlash measuring takes a minute.',
  }),
  fakePassage({
    rank: 2,
    score: 8,
    title: 'Words',
    heading: '2.1. Backlashes',
    url: 'https://a.example/words',
    passage: '## 2.1. Backlashes\n\nPlay between the teeth of two gears.',
  }),
]

test('prefers the section with the term as its heading to one that mentions it more often', () => {
  const { answer, citations } = answerFromPassages('What is backlash?', { passages, words: [], agreement: 0.6 })
  expect(answer).toContain('Play between the teeth')
  expect(citations[0]?.url).toBe('https://a.example/words')
})

test('gives low confidence if no heading has the term and no sentence defines it', () => {
  const mention = fakePassage({
    title: 'Oil',
    heading: '',
    passage: '# Oil\n\nTake care during life in dry air, then grease.',
  })
  const defined = fakePassage({ title: 'Oil', heading: '', passage: '# Oil\n\nLife is the time until a gear breaks.' })
  const confidenceFor = (passage: typeof mention) =>
    answerFromPassages('What is the meaning of life?', { passages: [passage], words: [], agreement: 0.6 }).confidence
  expect(['none', 'low']).toContain(confidenceFor(mention))
  expect(['medium', 'high']).toContain(confidenceFor(defined))
})

/** A page whose title says nothing about the question. */
const page = (score: number, passage: string, title = 'Care') =>
  fakePassage({ score, title, heading: '', url: `https://b.example/${score}`, passage })

const answerFrom = (question: string, passages: Passage[]) =>
  answerFromPassages(question, { passages, words: [], agreement: 0.6 }).answer

const WINTER = 'How do I oil a sprocket in winter?'

test.each([
  [
    'has all words of the question',
    page(10, 'Oil every sprocket with a brush.'),
    page(9, 'Take the oil for winter. It is thin. Then turn the sprocket in winter.'),
    'Take the oil for winter.',
  ],
  [
    'has the question as its title',
    page(10, 'In winter nobody will oil a sprocket outside.'),
    page(8.5, '# Oil a sprocket in winter\n\nTo oil a sprocket in winter, warm it first.', 'Oil a sprocket in winter'),
    '# Oil a sprocket in winter',
  ],
  [
    'has one sentence about the whole question',
    page(10, 'The oil is thin. A sprocket turns. Some winter days are cold.'),
    page(7, 'Oil a sprocket in winter with warm hands.'),
    'Oil a sprocket in winter with warm hands.',
  ],
])('quotes first the section that %s', (_, first, better, start) =>
  expect(answerFrom(WINTER, [first, better]).slice(0, start.length)).toBe(start),
)

test('quotes the beginning of a section rather than a later sentence with one more word of the question', () => {
  const more = (thing: string) =>
    Array.from({ length: 14 }, (_, at) => `The ${thing} number ${at} is painted red and stands in the garden.`).join(
      ' ',
    )
  const text = `The fine oil of seeds keeps the sprocket of the left wheel quiet. ${more('barn')} Nobody asks which fine oil keeps the sprocket of the left wheel quiet in winter. ${more('shed')}`
  const answer = answerFrom('Which fine oil keeps the sprocket of the left wheel quiet in winter?', [page(10, text)])
  expect(answer).toMatch(/^The fine oil of seeds/)
})
