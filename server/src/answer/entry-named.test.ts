import { expect, test } from 'vitest'
import { fakePassage } from '../../test/support/mcp/mcp-fakes.ts'
import { labelOf } from './entry-named.ts'
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

test.each([
  ['**Clutch**: separates', 'Clutch'],
  ['**Clutch:** separates', 'Clutch'],
  ['- `clutch` – separates', 'clutch'],
  ['**Clutch** (old)\n: separates', 'Clutch'],
  ['**Clutches** separate the motor', null],
  ['`clutch:release` separates', null],
  ['A **clutch**: separates', null],
])('reads the label of %j as %j', (text, label) => expect(labelOf(text)).toBe(label))
