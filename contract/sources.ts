import { z } from 'zod'
import { IssuedTokenSchema } from './access-tokens.ts'
import { SOURCE_SECRET_MAX } from './limits.ts'
import { defineOperation } from './operation.ts'
import { SOURCE_TYPES } from './source-kinds.ts'

export const SourceTypeSchema = z.enum(SOURCE_TYPES)
export type SourceType = z.infer<typeof SourceTypeSchema>

export const CrawlStatusSchema = z.enum(['pending', 'crawling', 'complete', 'error'])

/** Maximum length of an address; browsers and servers have about the same limit. */
export const MAX_URL = 2_000

const HeaderNameSchema = z
  .enum(['Authorization', 'X-API-Key'], { error: 'unsupported_auth_header' })
  .default('Authorization')
  .describe('Header in which the credential is sent')

/** Visible ASCII with single spaces inside: values that a header carries unchanged (RFC 9110, 5.5). */
const HEADER_VALUE = /^[\x21-\x7e]+( [\x21-\x7e]+)*$/
const NOT_A_HEADER_VALUE = 'must be printable ASCII without line breaks'

/** Valid names of remote tools: without spaces, so that a name cannot contain a sentence. */
export const REMOTE_TOOL_NAME = /^[A-Za-z0-9_.:/@-]{1,128}$/

const AllowedToolsSchema = z
  .array(z.string().regex(REMOTE_TOOL_NAME, 'must be the name of a tool'))
  .max(100)
  .describe(
    'Sources of type `mcp` only: remote tools that may be called though they do not say that they only read (`readOnlyHint`)',
  )

/** The length is checked together with the other rules, so that the refusal can explain the problem. */
const NeededUrlSchema = z.string('valid_url_required').min(1, 'valid_url_required').meta({ maxLength: MAX_URL })

/** `*` matches anything and a final `$` the end, as in robots.txt; matched against path and query. */
const PatternSchema = z.string().max(200).regex(/^[/*]/, 'must start with / or *')
const MAX_PATTERNS = 50

const PatternsSchema = z.array(PatternSchema).max(MAX_PATTERNS)
const patterns = {
  include: PatternsSchema.optional().describe('Patterns of paths that belong to it, in place of those below its own'),
  exclude: PatternsSchema.optional().describe('Patterns of paths that are left out'),
}

/** A source in a request that creates a server or adds a source. */
export const SourceInputSchema = z.object({
  url: z.string().max(MAX_URL).describe('Address of the documentation'),
  label: z.string().max(100).nullish().describe('Name to show instead of the address'),
  type: SourceTypeSchema.optional().describe('What the address leads to; detected from it when omitted'),
  auth: z
    .object({
      headerName: HeaderNameSchema,
      secret: z
        .string()
        .min(1)
        .max(SOURCE_SECRET_MAX)
        .regex(HEADER_VALUE, NOT_A_HEADER_VALUE)
        .describe('Credential for a remote MCP server; stored encrypted, never returned'),
    })
    .optional()
    .describe('Sources of type `mcp` only'),
  allowedTools: AllowedToolsSchema.optional(),
  ...patterns,
})

/** A source in its server's detail. */
export const SourceSchema = z.object({
  id: z.string(),
  url: z.string(),
  type: SourceTypeSchema,
  typeReason: z
    .string()
    .nullable()
    .describe('What the type was told by when the address was looked at; null where it was given'),
  label: z.string().nullable(),
  crawlStatus: CrawlStatusSchema,
  crawlError: z.string().optional().describe('Why it could not be indexed; present when `crawlStatus` is `error`'),
  pagesDiscovered: z.number().int(),
  pagesIndexed: z.number().int(),
  pagesSkipped: z.number().int(),
  pagesFailed: z.number().int(),
  skipped: z
    .array(z.object({ reason: z.string(), pages: z.number().int(), example: z.string().nullable() }))
    .describe('Pages that were left out or failed, by reason, so that found = indexed + skipped + failed + to go'),
  chunks: z.number().int().describe('Passages that can be found'),
  lastIndexedAt: z.iso.datetime().nullable(),
  include: z.array(z.string()).describe('Patterns of paths that belong to the source, in place of those below its own'),
  exclude: z.array(z.string()).describe('Patterns of paths that are left out'),
  isPrivate: z.boolean(),
  hasCredential: z.boolean(),
  allowedTools: z
    .array(z.string())
    .describe('Remote tools that may be called though they do not say that they only read'),
})

const ServerPathSchema = z.object({ id: z.string().describe('Id or slug of the server') })

const visibility = z.enum(['public', 'private'])

export const addSource = defineOperation({
  method: 'POST',
  path: '/api/mcp/{id}/sources',
  auth: 'key',
  resource: 'server',
  onceByKey: true,
  summary: 'Add a source to a server and start indexing it',
  description: `A private repository and an MCP source with a credential make a public server private. If it has no access
token then, one is issued and returned once in \`issuedToken\`. A key that is scoped to specific servers cannot use the
account's linked code hosts: it adds public repositories only.`,
  input: z.object({
    ...ServerPathSchema.shape,
    url: NeededUrlSchema,
    type: SourceInputSchema.shape.type,
    label: SourceInputSchema.shape.label,
    auth: SourceInputSchema.shape.auth,
    allowedTools: SourceInputSchema.shape.allowedTools,
    ...patterns,
  }),
  output: SourceSchema.extend({ visibility, issuedToken: IssuedTokenSchema.nullable() }),
  errors: [
    'unauthorized',
    'server_not_found',
    'valid_url_required',
    'private_source_url',
    'unsupported_auth_header',
    'only_mcp_credentials',
    'invalid_input',
    'source_limit_reached',
    'source_credit_required',
    'source_size_limit_reached',
    'source_exists',
    'auth_required',
    'not_found_or_no_access',
    'repo_access_failed',
    'credentials_unavailable',
    'idempotency_key_malformed',
    'idempotency_key_reused',
  ],
})

export const changeCredential = defineOperation({
  method: 'PATCH',
  path: '/api/mcp/{id}/sources',
  auth: 'key',
  resource: 'server',
  summary: 'Rotate or remove the credential of an MCP source',
  description: `A new credential is tested by listing the remote server's tools before it is saved. It keeps the server
private, so a public server becomes private with it, and \`issuedToken\` then holds the server's first access token.
The source is then indexed again. Removing a
credential also removes everything that was indexed with it; the source is indexed again without one. It does not make a
server public.`,
  input: z.object({
    ...ServerPathSchema.shape,
    sourceId: z.string('source_id_required').min(1, 'source_id_required'),
    secret: z
      .string()
      .max(SOURCE_SECRET_MAX)
      .regex(new RegExp(`^$|${HEADER_VALUE.source}`), NOT_A_HEADER_VALUE)
      .optional()
      .describe('The new credential; never returned'),
    remove: z.boolean().optional().describe('`true` removes the credential'),
    headerName: HeaderNameSchema,
  }),
  output: z.object({
    ok: z.literal(true),
    hasCredential: z.boolean(),
    tools: z.array(z.string()).describe('What the remote server listed with the new credential'),
    visibility,
    issuedToken: IssuedTokenSchema.nullable(),
  }),
  errors: [
    'unauthorized',
    'server_not_found',
    'source_id_required',
    'unsupported_auth_header',
    'invalid_input',
    'source_not_found',
    'only_mcp_credentials',
    'credential_required',
    'credential_rejected',
    'credentials_unavailable',
  ],
})

export const removeSource = defineOperation({
  method: 'DELETE',
  path: '/api/mcp/{id}/sources',
  auth: 'key',
  resource: 'server',
  summary: 'Remove a source and delete everything indexed from it',
  description:
    'Removing a source that is not on the server succeeds with `removed: 0`. With both members it is removed if both are its own.',
  input: z
    .object({
      ...ServerPathSchema.shape,
      sourceId: z.string().min(1).optional(),
      url: z.string().min(1).optional(),
    })
    .refine(({ sourceId, url }) => sourceId !== undefined || url !== undefined, 'source_id_or_url_required'),
  output: z.object({
    ok: z.literal(true),
    removed: z.number().int(),
    purged: z.object({
      chunks: z.number().int(),
      crawlUrls: z.number().int(),
      indexJobs: z.number().int(),
      callCitations: z.number().int(),
    }),
    remainingPrivateSources: z.number().int().describe('While above zero the server stays private'),
  }),
  errors: ['unauthorized', 'server_not_found', 'source_id_or_url_required', 'invalid_input'],
})

export const updateSource = defineOperation({
  method: 'PATCH',
  path: '/api/mcp/{id}/sources/{sourceId}',
  auth: 'key',
  resource: 'source',
  summary: 'Change how a source is called, which paths belong to it, and which of its tools may be called',
  description:
    'Patterns are matched against path and query from their beginning, as in robots.txt: `*` is anything, `$` at the end is the end. A change of them starts an indexing; one under way begins anew with them. Tools of a remote MCP server are called if they say that they only read, or if `allowedTools` names them.',
  input: z.object({
    ...ServerPathSchema.shape,
    sourceId: z.string(),
    label: z.string().trim().max(100).nullish(),
    ...patterns,
    allowedTools: AllowedToolsSchema.optional(),
  }),
  output: SourceSchema,
  errors: ['unauthorized', 'server_not_found', 'source_not_found', 'invalid_input', 'nothing_to_update'],
})

export const SourceDetectionSchema = z.object({
  url: z.string().describe('The address as it would be added'),
  type: SourceTypeSchema,
  label: z.string().nullable().describe('Title of what is there'),
  reachable: z.boolean(),
  problem: z.string().nullable().describe('Why it could not be looked at, or will not be crawled'),
  reason: z.string().describe('What the type was told by, as `Website: llms.txt with 214 pages, sitemap with 403.`'),
})
export type SourceDetection = z.infer<typeof SourceDetectionSchema>

export const detectSource = defineOperation({
  method: 'POST',
  path: '/api/sources/detect',
  auth: 'key',
  rateLimit: { limit: 60, windowMs: 60_000 },
  summary: 'Find out what an address leads to, before it is added',
  input: z.object({
    url: NeededUrlSchema,
  }),
  output: SourceDetectionSchema,
  errors: ['unauthorized', 'too_many_requests', 'valid_url_required', 'private_source_url', 'invalid_input'],
})
