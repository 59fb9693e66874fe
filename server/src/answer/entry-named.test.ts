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
