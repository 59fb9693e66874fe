import { z } from 'zod'
import { CustomToolPlanSchema } from '#values/custom-tool-plan.ts'
import { LISTED_BY_TOOL, LISTED_WHOLE, createdAt, listPosition, ok, slug, updatedAt } from '#fields.ts'
import { CUSTOM_TOOL } from '#limits.ts'
import { defineOperation } from '#operation.ts'

const HOUR_MS = 60 * 60 * 1000

/** Length in code points: a letter outside the basic plane counts once. */
const lengthOf = (text: string): number => [...text].length

/** Fields of a custom tool in every list. */
export const customToolFields = {
  id: z.string().describe('Id of the tool; servers select it as `custom:<id>`'),
  name: z.string().describe('Name for programs'),
  displayName: z.string().describe('Name for people'),
  description: z.string().describe('What the tool does, for the model that chooses a tool'),
  status: z.enum(['building', 'ready', 'failed']).describe('Only `ready` tools can be called'),
}

const StageSchema = z.enum(['reading', 'designing', 'validating'])

const CustomToolSchema = z.object({
  ...customToolFields,
  inputSchema: z.record(z.string(), z.unknown()).describe('JSON Schema of the arguments'),
  plan: CustomToolPlanSchema.nullable().describe('What the tool runs; null until it is ready'),
  understood: z
    .string()
    .optional()
    .describe('The plan in words: what the tool does, and with which pages. Present if `status` is `ready`'),
  leftOut: z
    .array(z.string())
    .optional()
    .describe('Words of the request that the tool does not use, so that only the assistant can'),
  prompt: z.string().nullable().describe('The request that it was built from'),
  progress: z
    .object({
      stage: StageSchema.describe('Current step of the build'),
      message: z.string().describe('The same in a sentence'),
    })
    .optional()
    .describe('Progress of the build, while `status` is `building`'),
  error: z.string().optional().describe('Why it could not be built; present if `status` is `failed`'),
  createdAt,
  updatedAt,
})

const ToolParameterSchema = z.object({ toolId: z.string().describe('Id of the tool, without `custom:`') })

export const listCustomTools = defineOperation({
  method: 'GET',
  path: '/api/custom-tools',
  auth: 'key',
  needs: ['viewer', 'read'],
  tool: {
    name: 'list_custom_tools',
    title: 'List custom tools',
    description: `List the custom tools of the account, newest first, and whether more can be built. Returns ${LISTED_BY_TOOL} unless limit says otherwise; the second text of a result says how to get the next page. Only those with status ready can be attached to a server, as custom:<id> with update_server_tools.`,
    kind: 'read',
    strangers: 'errors of custom tools',
    strangersIn: ['error'],
    arguments: { limit: 'limit', cursor: 'cursor' },
    defaults: { limit: LISTED_BY_TOOL },
  },
  summary: 'List the custom tools of the account, newest first',
  description: LISTED_WHOLE,
  input: z.object(listPosition),
  output: z.object({
    tools: z.array(CustomToolSchema).describe('The custom tools'),
    limit: z.number().int().describe('Custom tools that the account can have'),
    available: z.boolean().describe('Whether this instance can build custom tools'),
  }),
  errors: ['unauthorized', 'invalid_input'],
})

/** The answer to a build, one object per line. */
const BuildEventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('progress').describe('The build goes on'),
    stage: StageSchema.describe('Current step of the build'),
    message: z.string().describe('The same in a sentence'),
  }),
  z.object({
    type: z.literal('tool').describe('The build succeeded'),
    tool: CustomToolSchema.describe('The new tool'),
  }),
  z.object({
    type: z.literal('error').describe('The build failed'),
    message: z.string().describe('Why it failed'),
  }),
])

export const createCustomTool = defineOperation({
  method: 'POST',
  path: '/api/custom-tools',
  auth: 'key',
  needs: ['editor', 'write'],
  rateLimit: { limit: 15, windowMs: HOUR_MS, of: 'requests to build a custom tool' },
  onceByKey: true,
  unreadableBody: 'prompt_too_short',
  produces: 'application/x-ndjson',
  tool: {
    name: 'build_custom_tool',
    title: 'Build a custom tool',
    description:
      'Build a tool from a description in plain English, designed and tested on the given sources. Takes up to a minute and returns the finished tool. Then attach it with update_server_tools as custom:<id>.',
    kind: 'write',
    openWorld: true,
    arguments: { prompt: 'prompt', sources: 'sources' },
  },
  summary: 'Build a tool from a sentence',
  description: `The answer is a stream of JSON objects, one per line: any number of \`progress\`, then exactly one \`tool\` or
\`error\`. A build that fails is reported in the stream, with status 200. The build goes on if the client leaves, and the
tool stays in the list with its reason if it fails. A repeated \`Idempotency-Key\` gets the tool of the first request,
whose \`status\` may be \`building\`.`,
  input: z.object({
    prompt: z
      .string('prompt_too_short')
      .trim()
      .refine((text) => lengthOf(text) >= CUSTOM_TOOL.minPrompt, 'prompt_too_short')
      .refine((text) => lengthOf(text) <= CUSTOM_TOOL.maxPrompt, 'prompt_too_long')
      .describe(`What the tool should do, in ${CUSTOM_TOOL.minPrompt} to ${CUSTOM_TOOL.maxPrompt} characters`),
    sources: z
      .array(
        z.object({
          url: z.string().max(500).describe('Address of the documentation'),
          type: z.string().max(20).default('website').describe('Type of the source'),
          label: z.string().max(100).nullish().describe('Display name'),
        }),
      )
      .max(CUSTOM_TOOL.maxSources)
      .default([])
      .describe(
        'Sources to read while the tool is designed. They are found by their address among the sources of the account. Without any, those indexed last are read',
      ),
  }),
  output: BuildEventSchema,
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
  needs: ['viewer', 'read'],
  resource: 'customTool',
  summary: 'Read one custom tool',
  input: ToolParameterSchema,
  output: CustomToolSchema,
  errors: ['unauthorized', 'custom_tool_not_found'],
})

export const updateCustomTool = defineOperation({
  method: 'PATCH',
  path: '/api/custom-tools/{toolId}',
  auth: 'account',
  needs: ['editor', 'write'],
  resource: 'customTool',
  summary: 'Change how a custom tool is named and described',
  description: `Clients read the new words with their next request. The name for programs, the arguments and the plan stay the
same: for those, build another tool. Only a tool with status \`ready\` can be changed.`,
  input: z
    .object({
      ...ToolParameterSchema.shape,
      displayName: z
        .string()
        .trim()
        .min(1)
        .max(CUSTOM_TOOL.maxDisplayName)
        .optional()
        .describe(`Name for people, in 1 to ${CUSTOM_TOOL.maxDisplayName} characters`),
      description: z
        .string()
        .trim()
        .min(1)
        .max(CUSTOM_TOOL.maxDescription)
        .optional()
        .describe(
          `What the tool does, for the model that chooses a tool, in 1 to ${CUSTOM_TOOL.maxDescription} characters`,
        ),
    })
    .refine(
      ({ displayName, description }) => displayName !== undefined || description !== undefined,
      'nothing_to_update',
    ),
  output: CustomToolSchema,
  errors: [
    'unauthorized',
    'key_scoped',
    'custom_tool_not_found',
    'nothing_to_update',
    'invalid_input',
    'custom_tool_words',
    'custom_tool_not_ready',
  ],
})

export const deleteCustomTool = defineOperation({
  method: 'DELETE',
  path: '/api/custom-tools/{toolId}',
  auth: 'account',
  needs: ['editor', 'publish'],
  resource: 'customTool',
  tool: {
    name: 'delete_custom_tool',
    title: 'Delete a custom tool',
    description:
      'Delete a custom tool of the account and detach it from every server that uses it. Needs a key for the whole account. Ask the user first.',
    kind: 'delete',
    arguments: { tool_id: 'toolId' },
    deletes: 'the custom tool {name} ("{tool_id}") and detach it from every server that uses it',
  },
  summary: 'Delete a custom tool and remove it from every server that uses it',
  input: ToolParameterSchema,
  output: z.object({
    ok,
    detachedFrom: z
      .array(
        z.object({
          id: z.string().describe('Id of the server'),
          name: z.string().describe('Name of the server'),
          slug,
          remainingTools: z.number().int().describe('Number of tools that the server exposes now'),
          notice: z.string().optional().describe('Present if the server has fewer tools than a selection must have'),
        }),
      )
      .describe('Servers that exposed the tool'),
  }),
  errors: ['unauthorized', 'key_scoped', 'custom_tool_not_found'],
})

export const retryCustomTool = defineOperation({
  method: 'POST',
  path: '/api/custom-tools/{toolId}/retry',
  auth: 'key',
  needs: ['editor', 'write'],
  resource: 'customTool',
  rateLimit: { limit: 15, windowMs: HOUR_MS, of: 'requests to build a failed custom tool again' },
  produces: 'application/x-ndjson',
  summary: 'Build a failed tool again',
  description: 'With the request and the sources of the first build. The answer is a stream, as for the first build.',
  input: ToolParameterSchema,
  output: BuildEventSchema,
  errors: [
    'unauthorized',
    'custom_tool_not_found',
    'too_many_requests',
    'custom_tool_limit',
    'custom_tool_not_failed',
    'not_configured',
  ],
})

export const customToolOperations = {
  'customTools.list': listCustomTools,
  'customTools.create': createCustomTool,
  'customTools.get': getCustomTool,
  'customTools.update': updateCustomTool,
  'customTools.delete': deleteCustomTool,
  'customTools.retry': retryCustomTool,
} as const
