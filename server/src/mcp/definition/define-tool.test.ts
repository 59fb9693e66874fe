import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool, READ_ONLY } from './tool.ts'

const tool = defineTool<z.ZodObject, z.ZodObject, null>({
  name: 'look',
  title: 'Look',
  description: 'Looks.',
  annotations: READ_ONLY,
  input: z.object({ name: z.string().min(1).max(9).describe('What for'), limit: z.int().optional() }),
  output: z.object({ seen: z.boolean() }),
  call: async () => ({ text: 'Seen.', notes: ['By one.'], data: { seen: true }, outcome: 'answered' }),
})

const told = (args: object) => tool.prepare(args)(null)

test('passes known arguments without a remark', async () => {
  expect(await told({ name: 'a', limit: 2 })).toEqual({
    content: [{ type: 'text', text: 'Seen.\n\n[note] By one.' }],
    structuredContent: { seen: true, notes: ['By one.'] },
    outcome: 'answered',
  })
})

test('lists ignored arguments in an answer', async () => {
  const remark = 'There is no argument "product": look takes name, limit. The call was made without it.'
  expect(await told({ name: 'a', product: 'x' })).toEqual({
    content: [{ type: 'text', text: `Seen.\n\n[note] By one.\n[note] ${remark}` }],
    structuredContent: { seen: true, notes: ['By one.', remark] },
    outcome: 'answered',
  })
})

test('lists ignored arguments in a refusal, at most five, each clipped and on one line', () => {
  const symbol = { symbol: 'a' }
  expect(() => tool.prepare(symbol)).toThrow(
    '"name" must be text of 1 to 9 characters: What for. There is no argument "symbol": look takes name, limit. Call look again with the arguments corrected.',
  )
  const many = Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`a${n}\n${'b'.repeat(99)}`, 1]))
  const message = (() => {
    try {
      return String(tool.prepare(many))
    } catch (error) {
      return (error as Error).message
    }
  })()
  expect(message.match(/"a\d b+…"/g)).toHaveLength(5)
  expect(message).toMatch(/^[^\n]{1,500}$/)
})
