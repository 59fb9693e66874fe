import { z } from 'zod'
import { sourceId } from '#fields.ts'
import { SOURCE_SECRET_MAX } from '#limits.ts'
import { SOURCE_TYPES } from './source-kinds.ts'

export const SourceTypeSchema = z.enum(SOURCE_TYPES).describe('Type of the source')
export type SourceType = z.infer<typeof SourceTypeSchema>

/** Progress of one source. */
export const crawlFields = {
  crawlStatus: z
    .enum(['pending', 'crawling', 'complete', 'error'])
    .describe('`pending`: waits for its turn; `error`: could not be indexed'),
  pagesDiscovered: z.number().int().describe('Pages found'),
  pagesIndexed: z.number().int().describe('Pages in the index'),
  pagesSkipped: z.number().int().describe('Pages left out for a reason, such as `robots` or `duplicate`'),
  pagesFailed: z.number().int().describe('Pages that could not be fetched or read'),
}

/** Maximum length of an address; browsers and servers have about the same limit. */
export const MAX_URL = 2_000

export const HeaderNameSchema = z
  .enum(['Authorization', 'X-API-Key'], { error: 'unsupported_auth_header' })
  .default('Authorization')
  .describe('Header in which the credential is sent')

/** Visible ASCII with single spaces inside: values that a header carries unchanged (RFC 9110, 5.5). */
export const HEADER_VALUE = /^[\x21-\x7e]+( [\x21-\x7e]+)*$/
export const NOT_A_HEADER_VALUE = 'must be printable ASCII without line breaks'

/** Valid names of remote tools: without spaces, so that a name cannot contain a sentence. */
export const REMOTE_TOOL_NAME = /^[A-Za-z0-9_.:/@-]{1,128}$/

export const AllowedToolsSchema = z
  .array(z.string().regex(REMOTE_TOOL_NAME, 'must be the name of a tool'))
  .max(100)
  .describe(
    'For sources of type `mcp`: names of remote tools that may be called although they do not declare `readOnlyHint`',
  )

/** `*` matches anything and a final `$` the end, as in robots.txt; matched against path and query. */
export const MAX_PATTERN = 200
const PatternSchema = z.string().max(MAX_PATTERN).regex(/^[/*]/, 'must start with / or *')
export const MAX_PATTERNS = 50

const PatternsSchema = z.array(PatternSchema).max(MAX_PATTERNS)
/** A tag, branch or folder, or the newest ones. Without `..` and `:`, which no name of them can contain. */
const VersionNameSchema = z
  .string()
  .max(100)
  .regex(
    /^(?:newest:(?:[1-9]|10)|(?!.*\.\.)[\w@][\w.@+/-]*)$/,
    'must be the name of a version, tag or branch, or such as newest:3',
  )
export const MAX_VERSIONS = 10

export const patterns = {
  include: PatternsSchema.optional().describe('Patterns of paths to index, instead of all paths below the address'),
  exclude: PatternsSchema.optional().describe('Patterns of paths to leave out'),
  versions: z
    .array(VersionNameSchema)
    .max(MAX_VERSIONS)
    .optional()
    .describe(
      'Further versions to read: of a site, as in its addresses; of a repository, tags or branches; `newest:3` stands for the newest release of each of the three newest lines, such as 1.2',
    ),
}

/** A source in a request that creates a server or adds a source. */
export const SourceInputSchema = z.object({
  url: z.string().max(MAX_URL).describe('Address of the documentation'),
  label: z.string().max(100).nullish().describe('Display name, instead of the address'),
  type: SourceTypeSchema.optional().describe('Type of the source; detected if omitted'),
  auth: z
    .object({
      headerName: HeaderNameSchema,
      secret: z
        .string()
        .min(1)
        .max(SOURCE_SECRET_MAX)
        .regex(HEADER_VALUE, NOT_A_HEADER_VALUE)
        .describe('Credential for the remote MCP server; stored encrypted, never returned'),
    })
    .optional()
    .describe('For sources of type `mcp`'),
  allowedTools: AllowedToolsSchema.optional(),
  ...patterns,
})

/** A source in its server's detail. */
export const SourceSchema = z.object({
  id: sourceId,
  url: z.string().describe('Address of the source; credentials in it are shown as `…`'),
  type: SourceTypeSchema,
  typeReason: z.string().nullable().describe('How the type was detected; null if it was given'),
  label: z.string().nullable().describe('Display name of the source'),
  ...crawlFields,
  crawlError: z.string().optional().describe('Why it could not be indexed; present if `crawlStatus` is `error`'),
  skipped: z
    .array(
      z.object({
        reason: z.string().describe('The reason, such as `duplicate`'),
        pages: z.number().int().describe('Number of pages with this reason'),
        example: z.string().nullable().describe('The reason of one of these pages, in a sentence'),
      }),
    )
    .describe('Reasons of skipped and failed pages'),
  chunks: z.number().int().describe('Number of passages in the index'),
  pdfPages: z
    .number()
    .int()
    .nullable()
    .describe('Pages of its PDFs, of which each is one document; null if it has none'),
  lastIndexedAt: z.iso.datetime().nullable().describe('End of the last successful indexing; null before the first'),
  refresh: z
    .object({
      unchanged: z.number().int().describe('Pages that had not changed'),
      notFetched: z
        .number()
        .int()
        .describe('Those of them that were not fetched, because of their dates in a sitemap or HTTP caching'),
    })
    .optional()
    .describe('Unchanged pages of the last refresh of a site; absent without any'),
  changes: z
    .object({
      added: z.number().int().describe('Pages that it added'),
      changed: z.number().int().describe('Pages whose text had changed'),
      removed: z.number().int().describe('Pages that it removed'),
    })
    .optional()
    .describe('What the last refresh did to the index; absent before the first one, and while one is running'),
  nextRefreshAt: z.iso
    .datetime()
    .nullish()
    .describe(
      'When the schedule of the server reads the source again; null if it does not. Only in the detail of a server',
    ),
  include: z.array(z.string()).describe('Patterns of paths to index, instead of all paths below the address'),
  exclude: z.array(z.string()).describe('Patterns of paths to leave out'),
  versions: z.array(z.string()).describe('Further versions to read'),
  isPrivate: z.boolean().describe('Whether it is a private repository, or was added with site access'),
  hasCredential: z.boolean().describe('Whether a credential for it is stored, also one in its address'),
  allowedTools: z
    .array(z.string())
    .describe('Names of remote tools that may be called although they do not declare `readOnlyHint`'),
})

/** About a credential in an address. */
export const AddressWarningSchema = z
  .string()
  .describe('What to know about the credential that the address contains; absent without one')

/** The kind of source at an address. */
export const SourceDetectionSchema = z.object({
  url: z.string().describe('The address as a source would have it'),
  type: SourceTypeSchema,
  label: z.string().nullable().describe('Title of the page, document or repository; null without one'),
  reachable: z.boolean().describe('Whether the address answers'),
  warning: AddressWarningSchema.optional(),
  problem: z.string().nullable().describe('Why it cannot be read or crawled; null without a problem'),
  reason: z
    .string()
    .describe('How the type was detected, such as `Website: llms.txt with 214 pages, sitemap with 403.`'),
})
export type SourceDetection = z.infer<typeof SourceDetectionSchema>
