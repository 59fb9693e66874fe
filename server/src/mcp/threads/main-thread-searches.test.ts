import { expect, test } from 'vitest'
import { MainThreadSearches } from './main-thread-searches.ts'

const data = { embeddingModel: null, segmentBytes: 1, textCacheBytes: 1, sectionCacheBytes: 1 }
const form = { links: true, structured: true }
const task = { kind: 'call', server: 1, tool: 'search_docs', args: { query: 'oil' }, form }
const LONGEST = 'x'.repeat(200 - '{"query":""}'.length)
const open = (settings = {}) => new MainThreadSearches({ ...data, ...settings }, () => undefined)

test.each([
  ['a short search', {}, {}, true],
  ['the longest search', { args: { query: LONGEST } }, {}, true],
  ['a longer search', { args: { query: `${LONGEST}x` } }, {}, false],
  ['another tool', { tool: 'ask_question' }, {}, false],
  ['another task', { kind: 'survey', topic: 'oil' }, {}, false],
  ['a search by meaning', {}, { embeddingModel: 'some' }, false],
])('decides on %s', (_, changes, settings, expected) => {
  const searches = open(settings)
  expect(searches.isCheap({ ...task, ...changes } as Parameters<typeof searches.isCheap>[0])).toBe(expected)
})

test('takes segments up to 8 MB', () => {
  expect([8_000_000, 8_000_001].map((bytes) => open().areSmall(bytes))).toEqual([true, false])
})
