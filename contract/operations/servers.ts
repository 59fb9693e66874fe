import { z } from 'zod'
import { IssuedTokenSchema, MAX_TOKENS } from './access-tokens.ts'
import {
  LISTED_BY_TOOL,
  LISTED_WHOLE,
  ServerParameterSchema,
  listPosition,
  ok,
  serverId,
  slug,
  visibility,
} from '#fields.ts'
import { RETENTION_DAYS } from '#limits.ts'
import { defineOperation } from '#operation.ts'
import { RedactionSchema } from '#values/redaction.ts'
import {
  RefreshSchema,
  ServerDetailSchema,
  ServerSummarySchema,
  StructuredOutputSchema,
  WebPagesSchema,
  configSnippet,
} from '#values/server-fields.ts'
import { AddressWarningSchema, SourceInputSchema } from '#values/sources.ts'
import { UploadNameSchema } from './uploads.ts'
import { BUILT_IN_TOOLS, DEFAULT_TOOLS, MAX_TOOLS, MIN_TOOLS } from '#values/tools.ts'

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
  needs: ['editor', 'write'],
  publishes: { visibility: 'public' },
  rateLimit: { limit: 10, windowMs: HOUR_MS, of: 'requests to create a server' },
  onceByKey: true,
  tool: {
    name: 'create_server',
    title: 'Create a server',
    description: `Create an MCP server that answers from documentation, and start indexing it. Returns at once with the endpoint and a client configuration for the user. Then call get_indexing_progress until it is active. An accessToken is shown only here: give it to the user. Without tools, the server gets ${DEFAULT_TOOLS.join(', ')}. Names of tools: ${BUILT_IN_TOOLS.map(({ name }) => name).join(', ')}.`,
    kind: 'write',
    openWorld: true,
    arguments: {
      name: 'name',
      sources: { field: 'sources', members: ['url', 'label'], required: true },
      description: 'description',
      tools: 'tools',
      visibility: 'visibility',
    },
  },
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
    webPages: WebPagesSchema.default('unlisted'),
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
    warnings: z.array(AddressWarningSchema).optional().describe('About credentials in the addresses of sources'),
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
  needs: ['viewer', 'read'],
  tool: {
    name: 'list_servers',
    title: 'List servers',
    description: `List the servers of the account with slug, status and endpoint, newest first, ${LISTED_BY_TOOL} unless limit says otherwise. The second text of a result says how to get the next page. Start here to find a server. Servers with status deleted are kept for ${RETENTION_DAYS} days.`,
    kind: 'read',
    arguments: { limit: 'limit', cursor: 'cursor' },
    defaults: { limit: LISTED_BY_TOOL },
  },
  summary: 'List the servers, newest first, including those deleted within the last 7 days',
  description: LISTED_WHOLE,
  input: z.object(listPosition),
  output: z.array(ServerSummarySchema),
  errors: ['unauthorized', 'invalid_input'],
})

export const getServer = defineOperation({
  method: 'GET',
  path: '/api/mcp/{id}',
  auth: 'key',
  needs: ['viewer', 'read'],
  resource: 'server',
  tool: {
    name: 'get_server',
    title: 'Get a server',
    description:
      'Get one server: endpoint, client configuration, tools, and its sources with their ids, numbers of pages and errors. Use it to see what a server answers from, or why a source failed.',
    kind: 'read',
    strangers: 'errors and pages of the sources',
    strangersIn: ['crawlError', 'example'],
    arguments: { server: 'id' },
  },
  summary: 'Read one server with the progress of each source',
  input: ServerParameterSchema,
  output: ServerDetailSchema,
  errors: ['unauthorized', 'mcp_endpoint', 'server_not_found'],
})

export const deleteServer = defineOperation({
  method: 'DELETE',
  path: '/api/mcp/{id}',
  auth: 'key',
  needs: ['owner', 'publish'],
  resource: 'server',
  tool: {
    name: 'delete_server',
    title: 'Delete a server',
    description: `Delete a server. Its endpoint stops answering immediately. The user can restore it from the dashboard for ${RETENTION_DAYS} days; then its content is gone. Ask the user first.`,
    kind: 'delete',
    arguments: { server: 'id' },
    deletes: `the server {name} ("{server}"). Its endpoint would stop answering immediately, and after ${RETENTION_DAYS} days it could not be restored`,
  },
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
  needs: ['editor', 'write'],
  publishes: { webPages: 'listed' },
  resource: 'server',
  summary: 'Change the name, description, refresh schedule, output, redaction or pages over HTTP of a server',
  description:
    'The slug, and with it the endpoint, stays the same. A new `redaction` replaces the previous one and applies to calls from now on.',
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
    redaction: RedactionSchema.optional(),
    webPages: WebPagesSchema.optional(),
  }),
  output: ServerDetailSchema,
  errors: ['unauthorized', 'server_not_found', 'name_required', 'invalid_input', 'nothing_to_update'],
})

export const setVisibility = defineOperation({
  method: 'PATCH',
  path: '/api/mcp/{id}/visibility',
  auth: 'key',
  needs: ['owner', 'publish'],
  resource: 'server',
  tool: {
    name: 'set_server_visibility',
    title: 'Set the visibility of a server',
    description:
      'Make a server public or private. Clients need an access token for a private server. issuedToken.plaintext, the first token, is shown only here: give it to the user.',
    kind: 'write',
    idempotent: true,
    arguments: { server: 'id', visibility: 'visibility' },
  },
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
  needs: ['owner', 'publish'],
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
