import { z } from 'zod'
import { customToolFields } from './custom-tools.ts'
import { ServerParameterSchema as path, selectedTools, serverId, slug } from '#fields.ts'
import { defineOperation } from '#operation.ts'
import { SourceTypeSchema } from '#values/sources.ts'
import { MAX_TOOLS, MIN_TOOLS, REPORT_TOOL } from '#values/tools.ts'

/** Names as a list, or as comma-separated text. */
const NamesSchema = z
  .union(
    [z.array(z.string()), z.string().transform((text) => text.split(','))],
    'must be a list of names, or text with commas between them',
  )
  .transform((names) => [...new Set(names.map((name) => name.trim()).filter(Boolean))])

const selection = { serverId, slug, tools: selectedTools }

export const getServerTools = defineOperation({
  method: 'GET',
  path: '/api/mcp/{id}/tools',
  auth: 'key',
  needs: ['viewer', 'read'],
  resource: 'server',
  tool: {
    name: 'get_server_tools',
    title: 'Get the tools of a server',
    description:
      'List the tools that a server exposes, and all that it could have: built-in tools with what each does, and custom tools. Use it before update_server_tools. The name of a custom tool is custom:<id>.',
    kind: 'read',
    strangers: 'errors of custom tools',
    strangersIn: ['error'],
    arguments: { server: 'id' },
  },
  summary: 'List the tools of a server, and the tools it could have',
  input: path,
  output: z.object({
    ...selection,
    available: z
      .array(
        z.object({
          name: z.string().describe('Name of the tool'),
          title: z.string().describe('Name for people'),
          description: z.string().describe('What the tool does, for the model that chooses a tool'),
          inputSchema: z.record(z.string(), z.unknown()).describe('JSON Schema of the arguments'),
          needs: z.array(SourceTypeSchema).describe('Types of source that the tool can use'),
        }),
      )
      .describe('Built-in tools that the server can select'),
    customTools: z
      .array(
        z.object({
          ...customToolFields,
          error: z.string().optional().describe('Why it could not be built; present if `status` is `failed`'),
        }),
      )
      .describe('Custom tools of the account'),
    notice: z.string().optional().describe('Present if the server has fewer tools than a selection must have'),
    minTools: z.literal(MIN_TOOLS).describe('Tools that a server must have'),
    maxTools: z.literal(MAX_TOOLS).describe('Tools that a server can have'),
  }),
  errors: ['unauthorized', 'server_not_found'],
})

export const changeServerTools = defineOperation({
  method: 'PATCH',
  path: '/api/mcp/{id}/tools',
  auth: 'key',
  needs: ['editor', 'write'],
  resource: 'server',
  tool: {
    name: 'update_server_tools',
    title: 'Change the tools of a server',
    description: `Change which tools a server exposes: replace all with tools, or change some with add and remove. A server has ${MIN_TOOLS} to ${MAX_TOOLS} tools. The name of a custom tool is custom:<id>.`,
    kind: 'write',
    idempotent: true,
    arguments: { server: 'id', tools: 'tools', add: 'add', remove: 'remove' },
  },
  summary: 'Change the tools of a server',
  description: `Replace the selection with \`tools\`, or change it with \`add\` and \`remove\`. With \`tools\`, the other two are
ignored. The name of a custom tool is \`custom:<id>\`. A selection has ${MIN_TOOLS} to ${MAX_TOOLS} tools.
\`${REPORT_TOOL.name}\`, which is not in the list of built-in tools, can be selected too.`,
  input: z.object({
    ...path.shape,
    tools: NamesSchema.nullish().describe('The whole selection: a list of names, or text with commas between them'),
    add: NamesSchema.nullish().describe('Names to add to the selection'),
    remove: NamesSchema.nullish().describe('Names to remove from the selection'),
  }),
  overrules: { tools: ['add', 'remove'] },
  output: z.object({
    ...selection,
    added: z.array(z.string()).describe('Names that the server did not have before'),
    removed: z.array(z.string()).describe('Names that the server does not have any more'),
  }),
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

export const serverToolOperations = {
  'tools.get': getServerTools,
  'tools.change': changeServerTools,
} as const
