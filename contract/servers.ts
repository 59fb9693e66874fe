import { z } from 'zod'
import { IssuedTokenSchema, MAX_TOKENS } from './access-tokens.ts'
import { defineOperation } from './operation.ts'
import { CrawlStatusSchema, SourceInputSchema, SourceSchema } from './sources.ts'
import { UploadNameSchema } from './uploads.ts'
import { DEFAULT_TOOLS, MAX_TOOLS, MIN_TOOLS } from './tools.ts'

const HOUR_MS = 60 * 60 * 1000
/** Sources of a create request; more can be added later. Limited plans allow fewer. */
const MAX_SOURCES = 100
/** Uploads announced in a create request; more can be added later. */
const MAX_UPLOADS = 20

const VisibilitySchema = z.enum(['public', 'private'])
const ServerStatusSchema = z.enum(['crawling', 'active', 'error', 'deleted'])

const ServerParameterSchema = z.object({ id: z.string().describe('Id or slug of the server') })

const SummaryFields = {
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  visibility: VisibilitySchema,
  status: ServerStatusSchema,
  url: z.url().describe('The endpoint that AI clients connect to'),
  sourceCount: z.number().int(),
  toolCount: z.number().int(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
}

const ServerSummarySchema = z.object({
  ...SummaryFields,
  deletedAt: z.iso.datetime().optional(),
  purgeAt: z.iso.datetime().optional().describe('When the content of a deleted server is gone for good'),
})

/** Other types than text name nothing, so they are ignored like unusable names and addresses. */
const TextSchema = z.preprocess((value: string) => (typeof value === 'string' ? value : ''), z.string())
const NewSourceSchema = SourceInputSchema.extend({ url: TextSchema.describe('Address of the documentation') })

const RefreshSchema = z.enum(['off', 'hourly', 'daily', 'weekly']).describe('How often the sources are indexed again')

const StructuredOutputSchema = z
  .boolean()
  .describe(
    'Whether results of tools have `structuredContent` beside their text, and tools an `outputSchema`: for programs. Claude Code and Codex show their model these data in place of the text',
  )

const ServerDetailSchema = z.object({
  ...SummaryFields,
  configSnippet: z.string().describe('Client configuration to paste; a private server’s carries a placeholder token'),
  tools: z.array(z.string()),
  refresh: RefreshSchema,
  structuredOutput: StructuredOutputSchema,
  sources: z.array(SourceSchema),
})

const progressFields = {
  status: z.enum(['crawling', 'active', 'error']).describe('`crawling` while any work remains'),
  jobs: z.object({
    queued: z.number().int(),
    running: z.number().int(),
    done: z.number().int(),
    failed: z.number().int(),
  }),
  percent: z.number().min(0).max(100),
  etaSeconds: z.number().int().nullable(),
  pagesPerSecond: z.number().nullable().describe('Pages looked at in a second, while there is a rate to tell'),
  sources: z.array(
    z.object({
      id: z.string(),
      crawlStatus: CrawlStatusSchema,
      pagesDiscovered: z.number().int(),
      pagesIndexed: z.number().int(),
      pagesSkipped: z.number().int(),
      pagesFailed: z.number().int(),
    }),
  ),
}

export const createServer = defineOperation({
  method: 'POST',
  path: '/api/mcp/create',
  auth: 'account',
  rateLimit: { limit: 10, windowMs: HOUR_MS },
  onceByKey: true,
  summary: 'Create a server from its sources and start indexing them',
  description: `Answers as soon as the work is queued. Names of tools that do not exist are dropped before the tools are
counted; without \`tools\` the server gets ${DEFAULT_TOOLS.map((name) => `\`${name}\``).join(', ')}. Sources whose
address is not an http(s) URL are left out and listed in \`ignoredSources\`. A source with a credential, or a repository
that is known to be private, makes the server private whatever \`visibility\` says. A repository that cannot be looked at
is taken all the same, and says in its \`crawlError\` what is wrong.`,
  input: z.object({
    name: z.string('name_required').trim().min(1, 'name_required').max(200, 'must have at most 200 characters'),
    description: z.string().max(2000).nullish(),
    sources: z.array(NewSourceSchema, 'source_required').max(MAX_SOURCES).default([]),
    uploads: z
      .array(UploadNameSchema)
      .max(MAX_UPLOADS)
      .default([])
      .describe('Names of uploads that will follow; with one of them, a server needs no other source'),
    tools: z
      .array(TextSchema, 'tool_count')
      .optional()
      .describe(`${MIN_TOOLS} to ${MAX_TOOLS} names of built-in tools, or \`custom:<id>\``),
    visibility: VisibilitySchema.default('public'),
    structuredOutput: StructuredOutputSchema.default(false),
  }),
  output: z.object({
    serverId: z.string(),
    slug: z.string(),
    url: z.url(),
    configSnippet: z.string(),
    visibility: VisibilitySchema,
    accessToken: z.string().nullable().describe('Of a private server, shown this once'),
    ignoredSources: z.array(z.string()).optional(),
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
  summary: 'List the servers, those deleted within the last 7 days included',
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
  summary: 'Delete a server; it stops answering at once and can be restored for 7 days',
  input: ServerParameterSchema,
  output: z.object({
    ok: z.literal(true),
    retentionDays: z.literal(7),
    deletedAt: z.iso.datetime(),
    purgeAt: z.iso.datetime(),
  }),
  errors: ['unauthorized', 'server_not_found'],
})

export const updateServer = defineOperation({
  method: 'PATCH',
  path: '/api/mcp/{id}',
  auth: 'key',
  resource: 'server',
  summary: 'Change the name, the description, the refresh schedule or the output of a server',
  description: 'The slug stays as it is, so that the endpoint’s address does.',
  input: z.object({
    ...ServerParameterSchema.shape,
    name: z.string().trim().min(1, 'name_required').max(200, 'must have at most 200 characters').optional(),
    description: z.string().max(2000).nullish(),
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
    'A server that becomes private and has no access token gets one, which is shown once in `issuedToken`. While a private repository or an MCP source with a credential is among its sources, it stays private.',
  input: z.object({ ...ServerParameterSchema.shape, visibility: VisibilitySchema }),
  output: z.object({
    ok: z.literal(true),
    visibility: VisibilitySchema,
    unchanged: z.literal(true).optional().describe('Present when the server was so already'),
    maxTokens: z.literal(MAX_TOKENS),
    issuedToken: IssuedTokenSchema.nullable().describe('The first access token of the server, shown this once'),
  }),
  errors: ['unauthorized', 'server_not_found', 'invalid_input', 'private_source_present'],
})

export const restoreServer = defineOperation({
  method: 'POST',
  path: '/api/mcp/{id}/restore',
  auth: 'key',
  resource: 'restorableServer',
  summary: 'Restore a server that was deleted within the last 7 days',
  description: 'Indexing that was interrupted goes on. Restoring a server that is live changes nothing.',
  input: ServerParameterSchema,
  output: ServerDetailSchema.extend({ unchanged: z.literal(true).optional() }),
  errors: ['unauthorized', 'server_not_found', 'server_limit'],
})

export const crawlServer = defineOperation({
  method: 'POST',
  path: '/api/mcp/crawl',
  auth: 'key',
  resource: 'serverInBody',
  summary: 'Index all sources of a server again, or one of them',
  description:
    'A repository that has never been indexed and turns out to be private is read with the linked account of its host, which can have been linked since. It makes a public server private.',
  input: z.object({
    serverId: z.string('server_id_required').min(1, 'server_id_required').describe('Id or slug of the server'),
    sourceId: z.string().min(1).optional().describe('Only this source'),
  }),
  output: z.object({
    started: z.literal(true),
    queued: z.number().int().describe('Number of sources queued'),
    ...progressFields,
    issuedToken: IssuedTokenSchema.optional().describe(
      'The first access token of a server that becomes private with this refresh, shown this once',
    ),
  }),
  errors: ['unauthorized', 'server_id_required', 'invalid_input', 'server_not_found', 'source_not_found'],
})

export const crawlOneServer = defineOperation({
  method: 'POST',
  path: '/api/mcp/{id}/crawl',
  auth: 'key',
  resource: 'server',
  summary: 'Index all sources of the server in the path again, or one of them',
  input: z.object({ ...ServerParameterSchema.shape, sourceId: z.string().min(1).optional() }),
  output: crawlServer.output,
  errors: ['unauthorized', 'invalid_input', 'server_not_found', 'source_not_found'],
})

export const getProgress = defineOperation({
  method: 'GET',
  path: '/api/mcp/{id}/crawl-next',
  aliases: [{ method: 'POST', path: '/api/mcp/{id}/crawl-next' }],
  auth: 'none',
  resource: 'server',
  summary: 'Read how far indexing is; open without a key',
  input: ServerParameterSchema,
  output: z.object(progressFields),
  errors: ['server_not_found'],
})
