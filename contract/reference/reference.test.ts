import { expect, test } from 'vitest'
import { ERRORS } from '#errors.ts'
import { operations } from '#operations.ts'
import { apiReference } from './reference.ts'

test('keeps docs/api.md up to date (update it with: npm test -- contract/reference --update)', async () => {
  await expect(apiReference()).toMatchFileSnapshot('../../docs/api.md')
})

test('contains every operation and error', () => {
  const text = apiReference()
  for (const { method, path } of Object.values(operations)) expect(text).toContain(`## ${method} ${path}\n`)
  for (const [name, row] of Object.entries(ERRORS))
    expect(text).toContain('sentence' in row ? row.sentence : `\`${name}\``)
})

test('describes every variant of a stream', () => {
  expect(apiReference()).toContain('| `type` | `"heartbeat"` |')
})
