import { expect, test } from 'vitest'
import { MOST_SLOTS, rarestSlots } from './rarest-slots.ts'
import type { QuerySlot } from './resolve-query.ts'

const slot = (raw: string, ...pages: number[]): QuerySlot => ({
  raw,
  terms: pages.map((count) => ({ term: raw, stats: { pages: count, chunks: count, fields: [] }, entries: [] })),
  weight: 1,
  compound: false,
})
const some = (count: number) => Array.from({ length: count }, (_, at) => slot(`w${at}`, 10 + at))
const names = (slots: readonly QuerySlot[]) => slots.map(({ raw }) => raw)

test('a question of as many words as are ranked by keeps them all', () => {
  const slots = some(MOST_SLOTS)
  expect(rarestSlots(slots)).toEqual(slots)
})

test('of a longer one the words that most pages have are left out, and the others stay in their order', () => {
  const slots = [slot('most', 900), ...some(MOST_SLOTS), slot('rare', 1)]
  expect(names(rarestSlots(slots))).toEqual([...names(some(MOST_SLOTS - 1)), 'rare'])
})

test('a word is as frequent as the most frequent of its terms, and one that no page has is rarest', () => {
  const slots = [slot('unknown'), ...some(MOST_SLOTS - 1), slot('forms', 1, 900)]
  expect(names(rarestSlots(slots))).toEqual(['unknown', ...names(some(MOST_SLOTS - 1))])
})
