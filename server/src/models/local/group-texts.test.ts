import { expect, test } from 'vitest'
import { groupTexts } from './group-texts.ts'

const LIMITS = { characters: 10, texts: 3 }
const groupsOf = (...lengths: number[]) =>
  groupTexts(
    lengths.map((length) => 'x'.repeat(length)),
    LIMITS,
  )

test('texts of like length go together, up to as many characters with their padding', () => {
  expect(groupsOf(5, 1, 5, 1)).toEqual([
    [1, 3],
    [0, 2],
  ])
  expect(groupsOf(5, 6)).toEqual([[0], [1]])
})

test('up to as many texts', () => {
  expect(groupsOf(1, 1, 1, 1)).toEqual([[0, 1, 2], [3]])
})

test('one that is longer than all may be goes alone, and nothing gives nothing', () => {
  expect(groupsOf(30)).toEqual([[0]])
  expect(groupsOf()).toEqual([])
})
