import { z } from 'zod'
import { defineOperation } from './operation.ts'
import { SourceTypeSchema } from './sources.ts'
import { MAX_TOOLS, MIN_TOOLS } from './tools.ts'

const path = z.object({ id: z.string().describe('Id or slug of the server') })

/** Names as a list, or as comma-separated text. */
const NamesSchema = z
  .union(
    [z.array(z.string()), z.string().transform((text) => text.split(','))],
    'must be a list of names, or text with commas between them',
  )
  .transform((names) => [...new Set(names.map((name) => name.trim()).filter(Boolean))])

const selection = { serverId: z.string(), slug: z.string(), tools: z.array(z.string()) }

export const getServerTools = defineOperation({
  method: 'GET',
  path: '/api/mcp/{id}/tools',
  auth: 'key',
  resource: 'server',
  summary: 'Read which tools a server exposes, and which it could',
  input: path,
  output: z.object({
    ...selection,
    available: z.array(
      z.object({
        name: z.string(),
        title: z.string(),
        description: z.string(),
        inputSchema: z.record(z.string(), z.unknown()).describe('JSON Schema of the arguments'),
        needs: z.array(SourceTypeSchema).describe('The kinds of source that feed it'),
      }),
    ),
    customTools: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        displayName: z.string(),
        description: z.string(),
        status: z.enum(['building', 'ready', 'failed']),
      }),
    ),
    minTools: z.literal(MIN_TOOLS),
    maxTools: z.literal(MAX_TOOLS),
  }),
  errors: ['unauthorized', 'server_not_found'],
})

export const changeServerTools = defineOperation({
  method: 'PATCH',
  path: '/api/mcp/{id}/tools',
  auth: 'key',
  resource: 'server',
  summary: 'Change which tools a server exposes',
  description: `Replace the whole selection with \`tools\`, or change it with \`add\` and \`remove\`, which are ignored when
\`tools\` is there. A custom tool is called \`custom:<id>\`. A selection of fewer than ${MIN_TOOLS} or more than
${MAX_TOOLS} is refused.`,
  input: z.object({
    ...path.shape,
    tools: NamesSchema.nullish(),
    add: NamesSchema.nullish(),
    remove: NamesSchema.nullish(),
  }),
  overrules: { tools: ['add', 'remove'] },
  output: z.object({ ...selection, added: z.array(z.string()), removed: z.array(z.string()) }),
  errors: [
    'unauthorized',
    'server_not_found',
    'invalid_input',
    'tools_required',
    'unknown_tool',
    'too_few_tools',
    'too_many_tools',
  ],
})
