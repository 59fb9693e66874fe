import { expect, test } from 'vitest'
import { fakePassage } from '../../test/support/mcp/mcp-fakes.ts'
import { definedTerm } from './defined-term.ts'
import { answerFromPassages } from './extractive.ts'

test.each([
  ['What is a refspec?', 'refspec'],
  ['what is the GIL', 'GIL'],
  ["What's a generator expression?", 'generator expression'],
  ['What does the term MPM mean?', 'MPM'],
  ['What is meant by type affinity?', 'type affinity'],
  ['Define backlash.', 'backlash'],
  ['meaning of backlash', 'backlash'],
  ['Was sind Kladen?', 'Kladen'],
  ['What is new in 3.38?', null],
  ['What is the difference between a list and a tuple?', null],
  ['What is the best way to mount a volume?', null],
  ['What is the default port of the server?', null],
  ['What does this option do?', null],
  ['How do I define a tool?', null],
  ['', null],
])('reads the term whose definition %j asks for as %j', (question, term) => {
  expect(definedTerm(question)).toBe(term)
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
