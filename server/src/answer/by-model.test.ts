import { describe, expect, test } from 'vitest'
import { ModelError, type ModelFailure } from '#models/chat-model.ts'
import { type Confidence, MODEL_FAILURES } from './answer.ts'
import { reasonOf, withFailure } from './by-model.ts'

const extractive = (confidence: Confidence, answer = 'Oil it twice. [1]') => ({
  answer,
  confidence,
  citations: [],
  followUps: [],
})

describe('the extractive answer in place of a failed one', () => {
  test.each(MODEL_FAILURES)('names the reason %s, and is not of high confidence', (failure) => {
    const answer = withFailure(extractive('high'), failure)
    expect(answer).toMatchObject({ failure, isExtractive: true, confidence: 'medium', answer: 'Oil it twice. [1]' })
    expect(answer.remark).toMatch(/^The language model gave no answer that could be used: .+\. This one is quoted/)
  })

  test('lowers the confidence of an extractive answer only if the text of the model had no support', () => {
    expect(withFailure(extractive('medium'), 'timeout')).toMatchObject({ confidence: 'medium' })
    expect(withFailure(extractive('medium'), 'unusable')).toMatchObject({
      confidence: 'low',
      answer: 'The sources do not answer this directly. The closest they say:\n\nOil it twice. [1]',
    })
  })

  test.each<Confidence>(['low', 'none'])('keeps the confidence %s', (confidence) => {
    expect(withFailure(extractive(confidence), 'unusable')).toMatchObject({ confidence, answer: 'Oil it twice. [1]' })
  })
})

test.each<[ModelFailure, string]>([
  ['timeout', 'timeout'],
  ['refused', 'refused'],
  ['busy', 'busy'],
  ['unavailable', 'unavailable'],
  ['cut_off', 'unavailable'],
  ['malformed', 'unusable'],
  ['over_budget', 'over_budget'],
])('reports the failure %s of a model as %s', (failure, reason) =>
  expect(reasonOf(new ModelError(failure, 'It failed.'))).toBe(reason),
)
