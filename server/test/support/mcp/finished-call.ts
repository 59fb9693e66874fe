import type { FinishedCall } from '#analytics/call-row.ts'

/** A call as analytics record it. */
export const finishedCall = (values: Partial<FinishedCall> = {}): FinishedCall => ({
  tool: 'search_docs',
  arguments: { query: 'oil' },
  client: { name: 'probe', version: '1' },
  outcome: 'answered',
  durationMs: 2,
  citations: [],
  segments: [],
  ...values,
})
