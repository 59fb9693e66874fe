import { expect, test } from 'vitest'
import { numberMutants, specialCaseMutants, unchangedFile } from './mutants.ts'
import { listNeutral, NEUTRAL_ANSWERS, NEUTRAL_RANKING } from './neutral-values.ts'

test('changes one number and nothing else', () => {
  const [mutant] = numberMutants('search/weights.ts', 'WEIGHTS', [{ path: 'page.weight.title', value: 7.25 }])
  const before = unchangedFile('search/weights.ts').source.split('\n')
  const changed = mutant?.source.split('\n').filter((line, at) => line !== before[at])
  expect(changed).toHaveLength(1)
  expect(changed?.[0]).toMatch(/weight: \{ title: 7\.25, headings: /)
})

test('has a change for every weight of the ranking', () => {
  const mutants = numberMutants('search/weights.ts', 'WEIGHTS', listNeutral(NEUTRAL_RANKING))
  expect(mutants.map(({ name }) => name)).toContain('WEIGHTS.fusion.wordOrder = 0')
  expect(new Set(mutants.map(({ source }) => source)).size).toBe(mutants.length)
})

test('refuses a number that the weights do not have', () => {
  expect(() => numberMutants('search/weights.ts', 'WEIGHTS', [{ path: 'fusion.nothing', value: 0 }])).toThrow('nothing')
})

test('makes a special case give what everything else gets', () => {
  const bodies = new Map(
    specialCaseMutants('answer').map(({ name, source }) => [name, source.match(/\{( return \w+;)\n/)?.[1]]),
  )
  expect(bodies.get('definedTerm gives null')).toBe(' return null;')
  expect(bodies.get('requestOf gives inputs')).toBe(' return inputs;')
})

test('lists the values of a number that is off in two ways', () => {
  expect(listNeutral({ above: { threshold: [-9, 9], weight: 0 } })).toEqual([
    { path: 'above.threshold', value: -9 },
    { path: 'above.threshold', value: 9 },
    { path: 'above.weight', value: 0 },
  ])
})

test('has a change for every weight of answers', () => {
  const mutants = Object.entries(NEUTRAL_ANSWERS).flatMap(([name, neutral]) =>
    numberMutants('answer/weights.ts', name, listNeutral(neutral)),
  )
  expect(mutants.map(({ name }) => name)).toContain('ANSWERED.level.low = -1000000')
  expect(new Set(mutants.map(({ source }) => source)).size).toBe(mutants.length)
})
