import { expect, test } from 'vitest'
import groups from './word-forms.json' with { type: 'json' }
import { isEverydayWord, stemmerFor } from './word-analyser.ts'
import { otherForms } from './word-forms.ts'

const stem = stemmerFor('en')

test.each([
  ['parameter', 'param'],
  ['ptr', 'pointer'],
  ['indices', 'index'],
  ['behaviour', 'behavior'],
])('knows that %s is also %s', (word, other) => {
  expect([...otherForms(stem(word))]).toContain(stem(other))
  expect([...otherForms(stem(other))]).toContain(stem(word))
})

test('knows no other form of most words', () => {
  expect(isEverydayWord('window')).toBe(true)
  expect([...otherForms(stem('window'))]).toEqual([])
})

test('has no group of words that the stemmer makes one of', () => {
  expect(groups.filter((group) => new Set(group.split(' ').map(stem)).size < 2)).toEqual([])
})
