import { expect, test } from 'vitest'
import { groupTexts } from './local-embeddings.ts'

const LIMITS = { characters: 10, texts: 3 }
const groupsOf = (...lengths: number[]) =>
  groupTexts(
    lengths.map((length) => 'x'.repeat(length)),
    LIMITS,
  )

test('groups texts of similar length up to a limit of padded characters', () => {
  expect(groupsOf(5, 1, 5, 1)).toEqual([
    [1, 3],
    [0, 2],
  ])
  expect(groupsOf(5, 6)).toEqual([[0], [1]])
})

test('groups up to a maximum number of texts', () => {
  expect(groupsOf(1, 1, 1, 1)).toEqual([[0, 1, 2], [3]])
})

test('puts an overlong text into a separate group and returns no groups for no texts', () => {
  expect(groupsOf(30)).toEqual([[0]])
  expect(groupsOf()).toEqual([])
})
