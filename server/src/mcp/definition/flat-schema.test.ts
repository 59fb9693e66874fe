import { expect, test } from 'vitest'
import { z } from 'zod'
import { flatSchema } from './flat-schema.ts'

test('flattens plain arguments to one level of plain properties', () => {
  const input = z.object({
    text: z.string().min(1).describe('Some text'),
    kind: z.enum(['a', 'b']).optional(),
    count: z.int().min(1).max(5).default(2),
    ratio: z.number().optional(),
    sure: z.boolean().optional(),
    names: z.array(z.string()).optional(),
  })
  expect(flatSchema(input)).toEqual({
    type: 'object',
    properties: {
      text: { type: 'string', minLength: 1, description: 'Some text' },
      kind: { type: 'string', enum: ['a', 'b'] },
      count: { type: 'integer', minimum: 1, maximum: 5, default: 2 },
      ratio: { type: 'number' },
      sure: { type: 'boolean' },
      names: { type: 'array', items: { type: 'string' } },
    },
    required: ['text'],
  })
})

test.each([
  ['a union', z.union([z.string(), z.number()])],
  ['an object', z.object({ a: z.string() })],
  ['something nullable', z.string().nullable()],
  ['a constant', z.literal('a')],
  ['anything', z.unknown()],
])('refuses %s at start, because clients would drop the tool', (_title, schema) => {
  expect(() => flatSchema(z.object({ it: schema }))).toThrow('The argument "it" is not a plain value')
})
