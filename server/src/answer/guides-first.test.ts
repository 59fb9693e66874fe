import { expect, test } from 'vitest'
import { fakePassage } from '../../test/support/mcp/mcp-fakes.ts'
import type { Passage } from '#search/passage.ts'
import { guidesFirst } from './confidence.ts'

const QUESTION = 'How do I stop a running tram?'
const guide = fakePassage({ title: 'Trams', heading: 'Stop a tram', score: 8.1 })
const member = (given: Partial<Passage>): Passage => ({
  ...fakePassage({ title: 'Trams', heading: 'stop', score: 10 }),
  ...given,
})
const firstOf = (question: string, passages: Passage[], named = 0) =>
  guidesFirst(question, { passages, words: [], agreement: 0.6, named })[0]

const DECLARED = { kind: 'heading', start: 0, end: 4, level: 2, text: 'stop', anchor: null, declares: true } as const
const CODE = { kind: 'code', start: 0, end: 9, codeStart: 4, codeEnd: 5, language: null } as const

test.each<[string, Partial<Passage>]>([
  ['a signature', { headings: ['stop(tram)'] }],
  ['a member with its owner', { headings: ['Tram.is_running'] }],
  ['a value', { headings: ['is_running = False'] }],
  ['a manual page of a function', { title: 'stop_tram(3) — stop a running tram' }],
  ['a declaration', { blocks: [DECLARED] }],
])('puts a guide before %s for a question that asks how', (_, given) => {
  expect(firstOf(QUESTION, [member(given), guide])).toBe(guide)
  expect(firstOf('What stops a running tram?', [member(given), guide])).not.toBe(guide)
})

test.each<[string, string, Passage[], number]>([
  ['it is no member of an API', QUESTION, [member({}), guide], 0],
  ['the question names it', 'How do I use stop_tram?', [member({ headings: ['stop_tram(at)'] }), guide], 0],
  ['it is the named entry', QUESTION, [member({ headings: ['stop(tram)'] }), guide], 1],
  ['it is far better', QUESTION, [member({ headings: ['stop(tram)'] }), { ...guide, score: 7.9 }], 0],
])('keeps the first passage first if %s', (_, question, passages, named) => {
  expect(firstOf(question, passages, named)).toBe(passages[0])
})

test('puts the section with code before the introduction of its page, and no section of another page', () => {
  const introduction = fakePassage({ heading: '1. The purpose', url: 'https://a.example/tram#purpose', score: 10 })
  const steps = member({ headings: ['Stop it'], url: 'https://a.example/tram#stop', score: 3, blocks: [CODE] })
  const elsewhere = { ...steps, url: 'https://a.example/other', score: 5 }
  expect(firstOf(QUESTION, [introduction, elsewhere, steps])).toBe(steps)
  expect(firstOf(QUESTION, [introduction, elsewhere])).toBe(introduction)
  expect(firstOf(QUESTION, [{ ...introduction, headings: ['The purpose of trams'] }, steps])).not.toBe(steps)
  expect(firstOf('What is a tram?', [introduction, steps])).toBe(introduction)
})
