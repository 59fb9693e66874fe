import { expect, test } from 'vitest'
import { ERRORS } from './errors.ts'
import { operations } from './operations.ts'
import { apiReference } from './reference.ts'
import { BUILT_IN_TOOLS } from './tools.ts'

test('keeps docs/api.md up to date (update it with: npm test -- contract/reference --update)', async () => {
  await expect(apiReference()).toMatchFileSnapshot('../docs/api.md')
})

test('contains every operation, error and tool', () => {
  const text = apiReference()
  for (const { method, path } of Object.values(operations)) expect(text).toContain(`## ${method} ${path}\n`)
  for (const [name, row] of Object.entries(ERRORS))
    expect(text).toContain('sentence' in row ? row.sentence : `\`${name}\``)
  for (const { name } of BUILT_IN_TOOLS) expect(text).toContain(`\`${name}\``)
})
