import { expect, test } from 'vitest'
import { createHeadingFinder } from './region-blocks.ts'

test('does not treat a list item as an outline heading', () => {
  const { levelOf } = createHeadingFinder([], [{ title: 'Smoker', level: 1, page: 3 }])
  expect(levelOf('2.1 Smoker', { size: 10, isBold: false }, 3)).toBe(3)
  expect(levelOf('• smoker', { size: 10, isBold: false }, 3)).toBeNull()
})
