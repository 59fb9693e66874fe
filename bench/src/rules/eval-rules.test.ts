import { expect, test } from 'vitest'
import { evalRules } from './eval-rules.ts'
import { judgeMeanings } from './eval-meanings.ts'

const judged = judgeMeanings()

test('no sentence of the open half is accepted with another meaning', () => {
  const wrong = judged.filter(({ sentence, outcome }) => !sentence.heldOut && outcome === 'wrong')
  expect(wrong.map(({ sentence, compiled }) => [sentence.text, compiled.effects])).toEqual([])
})

test('the share of sentences that are done as meant does not fall', () => {
  const { open, heldOut, meanings } = evalRules()
  expect(meanings.open.right).toBeGreaterThanOrEqual(308)
  expect(meanings.heldOut.right).toBeGreaterThanOrEqual(83)
  expect(meanings.heldOut.wrong).toBeLessThanOrEqual(3)
  expect([open.exact, heldOut.exact]).toEqual([1, 0.967])
})
