import { expect, test } from 'vitest'
import { MOST_SLOTS, rarestSlots } from './rarest-slots.ts'
import type { QuerySlot } from './resolve-query.ts'

const slot = (raw: string, ...pages: number[]): QuerySlot => ({
  raw,
  terms: pages.map((count) => ({ term: raw, stats: { pages: count, chunks: count, fields: [] }, entries: [] })),
  weight: 1,
  count: 1,
  compound: false,
})
const some = (count: number) => Array.from({ length: count }, (_, at) => slot(`w${at}`, 10 + at))
const names = (slots: readonly QuerySlot[]) => slots.map(({ raw }) => raw)

test('keeps all words of a question up to the limit', () => {
  const slots = some(MOST_SLOTS)
  expect(rarestSlots(slots)).toEqual(slots)
})

test('drops the most frequent words of a long question and keeps the order of the others', () => {
  const slots = [slot('most', 900), ...some(MOST_SLOTS), slot('rare', 1)]
  expect(names(rarestSlots(slots))).toEqual([...names(some(MOST_SLOTS - 1)), 'rare'])
})

test('counts a word by its most frequent term, and an unknown word as the rarest', () => {
  const slots = [slot('unknown'), ...some(MOST_SLOTS - 1), slot('forms', 1, 900)]
  expect(names(rarestSlots(slots))).toEqual(['unknown', ...names(some(MOST_SLOTS - 1))])
})
