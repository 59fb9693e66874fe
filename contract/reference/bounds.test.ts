import { expect, test } from 'vitest'
import { boundsOf } from './bounds.ts'

test.each([
  [{ type: 'string', minLength: 1, maxLength: 2_000 }, '1 to 2,000 characters'],
  [{ type: 'string', maxLength: 100 }, 'at most 100 characters'],
  [{ type: 'string', minLength: 1 }, 'not empty'],
  [{ type: 'number', minimum: 0, maximum: 100 }, '0 to 100'],
  [{ type: 'array', minItems: 3 }, 'at least 3 items'],
  [{ type: 'integer', minimum: -100, maximum: 100 }, '-100 to 100'],
  [{ type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }, ''],
  [{ type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }, ''],
  [{ type: 'string', format: 'uri', maxLength: 5 }, ''],
  [{ type: 'string' }, ''],
])('describes %j as "%s"', (schema, words) => expect(boundsOf(schema)).toBe(words))
