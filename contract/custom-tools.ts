import { z } from 'zod'
import { CUSTOM_TOOL } from './limits.ts'
import { defineOperation } from './operation.ts'

const HOUR_MS = 60 * 60 * 1000

/** Length in code points: a letter outside the basic plane counts once. */
const lengthOf = (text: string): number => [...text].length

export const CustomToolSchema = z.object({
  id: z.string().describe('A server exposes the tool as `custom:<id>`'),
  name: z.string().describe('For programs'),
  displayName: z.string(),
  description: z.string(),
  status: z.enum(['building', 'ready', 'failed']),
  inputSchema: z.record(z.string(), z.unknown()).describe('JSON Schema of the arguments'),
  plan: z.record(z.string(), z.unknown()).nullable().describe('What the tool does; null until it is ready'),
  error: z.string().optional().describe('Why it could not be built; present when `status` is `failed`'),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})

const ToolParameterSchema = z.object({ toolId: z.string().describe('Id of the tool, without `custom:`') })

export const listCustomTools = defineOperation({
  method: 'GET',
  path: '/api/custom-tools',
  auth: 'key',
  summary: 'List the custom tools of the account',
  input: z.object({}),
  output: z.object({
    tools: z.array(CustomToolSchema),
    limit: z.number().int().describe('How many the account can have'),
    available: z.boolean().describe('Whether tools can be built here'),
  }),
  errors: ['unauthorized'],
})

export const createCustomTool = defineOperation({
  method: 'POST',
  path: '/api/custom-tools',
  auth: 'key',
  rateLimit: { limit: 15, windowMs: HOUR_MS },
  onceByKey: true,
  unreadableBody: 'prompt_too_short',
  produces: 'application/x-ndjson',
  summary: 'Build a tool from a sentence',
  description: `Answers with a stream of JSON objects, one a line: any number of \`progress\`, then exactly one \`tool\` or one
\`error\`. A build that fails is reported in the stream, with status 200.`,
  input: z.object({
    prompt: z
      .string('prompt_too_short')
      .trim()
      .refine((text) => lengthOf(text) >= CUSTOM_TOOL.minPrompt, 'prompt_too_short')
      .refine((text) => lengthOf(text) <= CUSTOM_TOOL.maxPrompt, 'prompt_too_long')
      .describe(`What the tool is to do, in ${CUSTOM_TOOL.minPrompt} to ${CUSTOM_TOOL.maxPrompt} characters`),
    sources: z
      .array(
        z.object({
          url: z.string().max(500),
          type: z.string().max(20).default('website'),
          label: z.string().max(100).nullish(),
        }),
      )
      .max(CUSTOM_TOOL.maxSources)
      .default([])
      .describe('Sources to read while the tool is designed'),
  }),
  output: z.discriminatedUnion('type', [
    z.object({
      type: z.literal('progress'),
      stage: z.enum(['reading', 'designing', 'validating']),
      message: z.string(),
    }),
    z.object({ type: z.literal('tool'), tool: CustomToolSchema }),
    z.object({ type: z.literal('error'), message: z.string() }),
  ]),
  errors: [
    'unauthorized',
    'too_many_requests',
    'prompt_too_short',
    'prompt_too_long',
    'invalid_input',
    'custom_tool_limit',
    'not_configured',
    'idempotency_key_malformed',
    'idempotency_key_reused',
  ],
})

export const getCustomTool = defineOperation({
  method: 'GET',
  path: '/api/custom-tools/{toolId}',
  auth: 'key',
  resource: 'customTool',
  summary: 'Read one custom tool',
  input: ToolParameterSchema,
  output: CustomToolSchema,
  errors: ['unauthorized', 'custom_tool_not_found'],
})

export const deleteCustomTool = defineOperation({
  method: 'DELETE',
  path: '/api/custom-tools/{toolId}',
  auth: 'account',
  resource: 'customTool',
  summary: 'Delete a custom tool and take it off every server that uses it',
  input: ToolParameterSchema,
  output: z.object({
    ok: z.literal(true),
    detachedFrom: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        slug: z.string(),
        remainingTools: z.number().int().describe('Tools that the server exposes now'),
      }),
    ),
  }),
  errors: ['unauthorized', 'key_scoped', 'custom_tool_not_found'],
})
