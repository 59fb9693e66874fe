import { expect, test } from 'vitest'
import { stemsOf } from '../term-overlap.ts'
import { hasWords } from './release-filters.ts'

const note = { heading: '2.1', text: 'Added: `payload_limit`, and `queue flush --dry-run` lists jobs.' }

test.each(['payload_limit', 'dry-run', 'lists the jobs'])('finds the release that speaks of %s', (query) => {
  expect(hasWords(note as Parameters<typeof hasWords>[0], [...stemsOf(query)])).toBe(true)
})

test('finds no release that lacks a word', () => {
  expect(hasWords(note as Parameters<typeof hasWords>[0], [...stemsOf('payload_size')])).toBe(false)
})
