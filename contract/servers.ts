import { z } from 'zod'
import { IssuedTokenSchema, MAX_TOKENS } from './access-tokens.ts'
import { ServerParameterSchema, ok, serverId, slug, visibility } from './fields.ts'
import { RETENTION_DAYS } from './limits.ts'
import { defineOperation } from './operation.ts'
import {
  RefreshSchema,
  ServerDetailSchema,
  ServerSummarySchema,
  StructuredOutputSchema,
  configSnippet,
} from './server-fields.ts'
import { SourceInputSchema } from './sources.ts'
import { UploadNameSchema } from './uploads.ts'
import { DEFAULT_TOOLS, MAX_TOOLS, MIN_TOOLS } from './tools.ts'

const HOUR_MS = 60 * 60 * 1000
/** Sources of a create request; more can be added later. Limited plans allow fewer. */
const MAX_SOURCES = 100
/** Uploads announced in a create request; more can be added later. */
const MAX_UPLOADS = 20

/** Other types than text name nothing, so they are ignored like unusable names and addresses. */
const TextSchema = z.preprocess((value: string) => (typeof value === 'string' ? value : ''), z.string())
const NewSourceSchema = SourceInputSchema.extend({ url: TextSchema.describe('Address of the documentation') })

export const createServer = defineOperation({
  method: 'POST',
  path: '/api/mcp/create',
  auth: 'account',
  rateLimit: { limit: 10, windowMs: HOUR_MS },
  onceByKey: true,
  summary: 'Create a server from its sources and start indexing them',
  description: `The answer comes as soon as the work is queued. Without \`tools\`, the server gets
${DEFAULT_TOOLS.map((name) => `\`${name}\``).join(', ')}. Unknown names of tools are ignored and do not count. Sources whose
address is not an http(s) URL are left out, listed in \`ignoredSources\` and explained in \`ignoredSourceReasons\`. A source with a credential, or a private
repository, makes the server private, whatever \`visibility\` says. A repository that cannot be read is added too; its
\`crawlError\` gives the reason.`,
  input: z.object({
    name: z
      .string('name_required')
      .trim()
      .min(1, 'name_required')
      .max(200, 'must have at most 200 characters')
      .describe('Name of the server; its slug is made from it'),
    description: z.string().max(2000).nullish().describe('Description of the server, for people'),
    sources: z.array(NewSourceSchema, 'source_required').max(MAX_SOURCES).default([]).describe('Sources to index'),
    uploads: z
      .array(UploadNameSchema)
      .max(MAX_UPLOADS)
      .default([])
      .describe('Names of uploads that will follow. A server with one of them needs no other source'),
    tools: z
      .array(TextSchema, 'tool_count')
      .optional()
      .describe(`${MIN_TOOLS} to ${MAX_TOOLS} names of built-in tools, or \`custom:<id>\``),
    visibility: visibility.default('public'),
    structuredOutput: StructuredOutputSchema.default(false),
  }),
  output: z.object({
    serverId,
    slug,
    url: z.url().describe('Endpoint for AI clients'),
    configSnippet,
    visibility,
    accessToken: z.string().nullable().describe('First access token of a private server; it is shown only here'),
    ignoredSources: z.array(z.string()).optional().describe('Addresses that are not http(s) URLs'),
    ignoredSourceReasons: z
      .array(
        z.object({
          url: z.string().describe('As it was sent'),
          reason: z.string().describe('What is wrong with the address'),
        }),
      )
      .optional()
      .describe('The ignored sources, each with the reason'),
  }),
  errors: [
    'unauthorized',
    'key_scoped',
    'too_many_requests',
    'name_required',
    'source_required',
    'tool_count',
    'too_few_valid_tools',
    'no_valid_source_url',
    'private_source_urls',
    'only_mcp_credentials',
    'unsupported_auth_header',
    'invalid_input',
    'enterprise_limit',
    'source_limit',
    'credentials_unavailable',
    'idempotency_key_malformed',
    'idempotency_key_reused',
  ],
})

export const listServers = defineOperation({
  method: 'GET',
  path: '/api/mcp/list',
  auth: 'key',
  summary: 'List the servers, including those deleted within the last 7 days',
  input: z.object({}),
  output: z.array(ServerSummarySchema),
  errors: ['unauthorized'],
})

export const getServer = defineOperation({
  method: 'GET',
  path: '/api/mcp/{id}',
  auth: 'key',
  resource: 'server',
  summary: 'Read one server with the progress of each source',
  input: ServerParameterSchema,
  output: ServerDetailSchema,
  errors: ['unauthorized', 'server_not_found'],
})

export const deleteServer = defineOperation({
  method: 'DELETE',
  path: '/api/mcp/{id}',
  auth: 'key',
  resource: 'server',
  summary: 'Delete a server',
  description: `The server stops answering at once. It can be restored for ${RETENTION_DAYS} days.`,
  input: ServerParameterSchema,
  output: z.object({
    ok,
    retentionDays: z.literal(RETENTION_DAYS).describe('Days for which the server can be restored'),
    deletedAt: z.iso.datetime().describe('Time of deletion'),
    purgeAt: z.iso.datetime().describe('Time of final removal'),
  }),
  errors: ['unauthorized', 'server_not_found'],
})

export const updateServer = defineOperation({
  method: 'PATCH',
  path: '/api/mcp/{id}',
  auth: 'key',
  resource: 'server',
  summary: 'Change the name, description, refresh schedule or output of a server',
  description: 'The slug, and with it the endpoint, stays the same.',
  input: z.object({
    ...ServerParameterSchema.shape,
    name: z
      .string()
      .trim()
      .min(1, 'name_required')
      .max(200, 'must have at most 200 characters')
      .optional()
      .describe('New name of the server'),
    description: z.string().max(2000).nullish().describe('New description of the server; null removes it'),
    refresh: RefreshSchema.optional(),
    structuredOutput: StructuredOutputSchema.optional(),
  }),
  output: ServerDetailSchema,
  errors: ['unauthorized', 'server_not_found', 'name_required', 'invalid_input', 'nothing_to_update'],
})

export const setVisibility = defineOperation({
  method: 'PATCH',
  path: '/api/mcp/{id}/visibility',
  auth: 'key',
  resource: 'server',
  summary: 'Make a server public or private',
  description:
    'A server that becomes private and has no access token gets one in `issuedToken`. A server with a private repository, or with an MCP source that has a credential, stays private.',
  input: ServerParameterSchema.extend({ visibility }),
  output: z.object({
    ok,
    visibility,
    unchanged: z.literal(true).optional().describe('Present if this was the visibility before'),
    maxTokens: z.literal(MAX_TOKENS).describe('Access tokens that a server can have'),
    issuedToken: IssuedTokenSchema.nullable().describe('First access token of the server; null if none was issued'),
  }),
  errors: ['unauthorized', 'server_not_found', 'invalid_input', 'private_source_present'],
})

export const restoreServer = defineOperation({
  method: 'POST',
  path: '/api/mcp/{id}/restore',
  auth: 'key',
  resource: 'restorableServer',
  summary: 'Restore a server that was deleted within the last 7 days',
  description: 'Interrupted indexing continues. Restoring a live server changes nothing.',
  input: ServerParameterSchema,
  output: ServerDetailSchema.extend({
    unchanged: z.literal(true).optional().describe('Present if the server was not deleted'),
  }),
  errors: ['unauthorized', 'server_not_found', 'server_limit'],
})

export const serverOperations = {
  'servers.create': createServer,
  'servers.list': listServers,
  'servers.get': getServer,
  'servers.update': updateServer,
  'servers.delete': deleteServer,
  'servers.restore': restoreServer,
  'servers.setVisibility': setVisibility,
} as const
