import { expect, test } from 'vitest'
import { cleanTitle } from './page-title.ts'

test.each([
  ['Tank manual - tankctl(1)', '', '', 'tankctl(1)'],
  ['tank_open(3tank) — Tank C interface of the year', '', '', 'tank_open(3tank)'],
  ['Fill a tank | Tank', '', 'Tank', 'Fill a tank'],
  ['Documentation | Fill a tank with water', '', '', 'Fill a tank with water'],
  ['Tank: tankctl(1) and its options', '', '', 'Tank: tankctl(1) and its options'],
  ['Tank manual - tankctl(1)', 'Tank manual', '', 'Tank manual'],
])('cuts the title %j above the heading %j on a site named %j to %j', (title, heading, site, cut) => {
  expect(cleanTitle(title, heading, site)).toBe(cut)
})
