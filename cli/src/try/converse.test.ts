import pc from 'picocolors'
import { expect, test } from 'vitest'
import { formatAnswer } from './converse.ts'

test('prints an answer with its citations', () => {
  const text = formatAnswer(
    { colors: pc.createColors(false), columns: 80 },
    {
      answer: 'Set `base`. [1]',
      confidence: 'high',
      citations: [{ n: 1, title: 'Config', heading: 'base', url: 'https://docs.example.org/config#base' }],
    },
  )
  expect(text).toBe(
    '\nSet `base`. [1]\n\n  [1] Config › base\n      https://docs.example.org/config#base\n  Confidence: high\n\n',
  )
})
