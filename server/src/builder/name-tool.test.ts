import { expect, test } from 'vitest'
import { untakenName } from './name-tool.ts'

test('adds a number if the name is taken', () => {
  expect(untakenName('explain_rule', new Set(['explain_rule']))).toBe('explain_rule_2')
  expect(untakenName('look_up_environment', new Set(['look_up_environment']))).toBe('look_up_environment_2')
  expect(untakenName('find_deprecated_items', new Set(['find_deprecated_items']))).toBe('find_deprecated_2')
})
