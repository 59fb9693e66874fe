import { expect, inject, test } from 'vitest'
import { answerSets, openSets, QUICK_SETS, rankSets } from './development-sets.ts'
import { compareFigures, recordedFigures } from './recorded-figures.ts'

const sets = openSets('eval/dev.tar.xz')
const gold = openSets('eval/answers/dev.tar.xz')

test.runIf(sets !== null)('keeps the recorded nDCG@10 of the sets', { timeout: 600_000 }, async () => {
  // The other sets take half a minute more.
  const figures = await rankSets(sets ?? '', (name) => inject('isLong') || QUICK_SETS.has(name))
  expect(Object.keys(figures).length).toBeGreaterThanOrEqual(QUICK_SETS.size)
  expect(compareFigures(recordedFigures('ranking'), figures).fell).toEqual([])
})

test.runIf(gold !== null)('keeps the recorded share of useful answers', { timeout: 300_000 }, async () => {
  const figures = await answerSets(sets ?? '', gold ?? '')
  expect(Object.keys(figures)).toHaveLength(4)
  expect(compareFigures(recordedFigures('answers'), figures).fell).toEqual([])
})
