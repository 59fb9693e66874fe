import { z } from 'zod'
import { ServerParameterSchema } from '#fields.ts'
import { defineOperation } from '#operation.ts'
import { outcome } from '#values/analytics-fields.ts'

const message = z.record(z.string(), z.unknown())

export const tryTool = defineOperation({
  method: 'POST',
  path: '/api/mcp/{id}/try',
  auth: 'key',
  needs: ['viewer', 'ask'],
  resource: 'server',
  rateLimit: { limit: 60, windowMs: 60_000, of: 'trial calls of a tool' },
  summary: 'Call a tool of a server as a client would, without counting the call',
  description:
    'For the owner, also of a private server. The call does not count towards the monthly allowance, and is not in the request log. Arguments that the tool refuses give an answer with `error` inside `response`, as for a client.',
  input: ServerParameterSchema.extend({
    tool: z.string().min(1).max(200).describe('Name of a tool that the server exposes'),
    arguments: z.record(z.string(), z.unknown()).default({}).describe('Arguments of the tool'),
  }),
  output: z.object({
    request: message.describe('The JSON-RPC message of the call'),
    response: message.describe('The JSON-RPC message that a client gets'),
    data: message.nullable().describe('The result as data, even if clients get text only; null for an error'),
    outcome,
    durationMs: z.number().min(0).describe('Duration in milliseconds'),
  }),
  errors: ['unauthorized', 'server_not_found', 'invalid_input', 'too_many_requests'],
})

export const toolTrialOperations = {
  'tools.try': tryTool,
} as const
