import { z } from 'zod'
import { ServerParameterSchema, serverId, slug, visibility } from '#fields.ts'
import { defineOperation } from '#operation.ts'
import { configSnippet } from '#values/server-fields.ts'

const HOUR_MS = 60 * 60 * 1000
/** Bytes of the lines of a file, without compression, and their number: ten times the largest servers. */
export const MOST_FILE_BYTES = 2 ** 31
export const MOST_FILE_LINES = 1_000_000
/** Bytes of one line. A page has at most 2 million characters. */
export const MOST_LINE_BYTES = 32 << 20

export const exportServer = defineOperation({
  method: 'GET',
  path: '/api/mcp/{id}/export',
  auth: 'key',
  needs: ['editor', 'read'],
  resource: 'server',
  audited: true,
  produces: 'application/x-ndjson',
  summary: 'Export a server as one file: settings, custom tools, sources, rules, pins, and pages with their index',
  description:
    'The file has no credentials, tokens, uploaded originals or calls. Its last line has the hash of all others, and a file without it is incomplete. [Files of servers](server-files.md) describes the format.',
  input: ServerParameterSchema,
  output: z.record(z.string(), z.unknown()).describe('A line of the file'),
  errors: ['unauthorized', 'server_not_found', 'source_is_indexing'],
})

export const importServer = defineOperation({
  method: 'POST',
  path: '/api/server-files',
  auth: 'account',
  needs: ['editor', 'write'],
  publishes: { visibility: 'public' },
  rateLimit: { limit: 10, windowMs: HOUR_MS, of: 'imports of servers' },
  consumes: 'application/octet-stream',
  summary: 'Make a server from an exported file, without reading its sources again',
  description: `The body is the file, also compressed with gzip. The server exists when the last line has come and its hash is
right, and is then indexed from the file within seconds. Its ids are new. It stays private if the exported one had private
sources. Credentials have to be added again.`,
  input: z.object({ visibility: visibility.default('private') }),
  output: z.object({
    serverId,
    slug,
    url: z.url().describe('Endpoint for AI clients'),
    configSnippet,
    visibility,
    accessToken: z.string().nullable().describe('First access token of a private server; it is shown only here'),
    sources: z
      .array(z.object({ from: z.string().describe('Id in the file'), id: z.string().describe('Id of the new source') }))
      .describe('The new ids of the sources'),
    pages: z.number().int().describe('Pages that were read from the file'),
  }),
  errors: [
    'unauthorized',
    'key_scoped',
    'too_many_requests',
    'invalid_input',
    'server_file_damaged',
    'payload_too_large',
    'request_timeout',
    'chunks_too_small',
    'enterprise_limit',
    'source_limit',
    'custom_tool_limit',
  ],
})

export const serverFileOperations = {
  'servers.export': exportServer,
  'servers.import': importServer,
} as const
