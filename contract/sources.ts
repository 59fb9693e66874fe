import { z } from 'zod'

/** The kinds of source, as the contract spells them. */
export const SOURCE_TYPES = ['website', 'docs', 'repo', 'api', 'mcp', 'pdf'] as const
export const SourceTypeSchema = z.enum(SOURCE_TYPES)
export type SourceType = z.infer<typeof SourceTypeSchema>

export const CrawlStatusSchema = z.enum(['pending', 'crawling', 'complete', 'error'])

/** The longest address that is taken; browsers and servers stop at about the same. */
const MAX_URL = 2_000

/** A source as it is sent when a server is created or a source added. */
export const SourceInputSchema = z.object({
  url: z.string().max(MAX_URL).describe('Address of the documentation'),
  label: z.string().max(100).nullish().describe('Name to show instead of the address'),
  type: SourceTypeSchema.optional().describe('What the address leads to; detected from it when omitted'),
  auth: z
    .object({
      headerName: z
        .enum(['Authorization', 'X-API-Key'], { error: 'unsupported_auth_header' })
        .default('Authorization')
        .describe('Header in which the credential is sent'),
      secret: z
        .string()
        .min(1)
        .max(4096)
        .describe('Credential for a remote MCP server; stored encrypted, never returned'),
    })
    .optional()
    .describe('Sources of type `mcp` only'),
})

/** A source as it is shown in the detail of its server. */
export const SourceSchema = z.object({
  id: z.string(),
  url: z.string(),
  type: SourceTypeSchema,
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
  isPrivate: z.boolean(),
  hasCredential: z.boolean(),
})
