import { z } from 'zod'
import { defineOperation } from './operation.ts'

/** Pages per answer of the list. */
export const PAGES_PER_ANSWER = 50

/** Outcomes of a page; `waiting` pages are known but not read yet. */
const PageStateSchema = z.enum(['indexed', 'skipped', 'failed', 'waiting'])
export type ReportedState = z.infer<typeof PageStateSchema>

const filter = {
  id: z.string().describe('Id or slug of the server'),
  sourceId: z.string().min(1).max(100).optional().describe('Only pages of this source'),
  state: PageStateSchema.optional().describe('Only pages in this state'),
  reason: z.string().min(1).max(100).optional().describe('Only pages that were left out or failed for this reason'),
}

const PageSchema = z.object({
  sourceId: z.string(),
  url: z.string(),
  title: z.string().nullable().describe('null for a page that has not been read'),
  state: PageStateSchema,
  reason: z.string().nullable().describe('Why it was left out or failed, as `robots`, `duplicate` or `not_found`'),
  detail: z.string().nullable().describe('The same in a sentence'),
  chunks: z.number().int().describe('Passages that can be found'),
  settledAt: z.iso.datetime().nullable().describe('When it was last looked at; null while it is waiting'),
})

export const listPages = defineOperation({
  method: 'GET',
  path: '/api/mcp/{id}/pages',
  auth: 'key',
  resource: 'server',
  summary: 'List the pages of a server’s sources with what became of each',
  description: 'Source by source, in the order of their addresses.',
  input: z.object({ ...filter, page: z.coerce.number().int().min(1).max(1_000_000).default(1) }),
  output: z.object({
    pages: z.array(PageSchema),
    page: z.number().int(),
    pageSize: z.literal(PAGES_PER_ANSWER),
    total: z.number().int(),
    totalPages: z.number().int(),
  }),
  errors: ['unauthorized', 'server_not_found', 'source_not_found', 'invalid_input'],
})

export const exportPages = defineOperation({
  method: 'GET',
  path: '/api/mcp/{id}/pages/export',
  auth: 'key',
  resource: 'server',
  produces: 'table',
  summary: 'Export the pages of a server’s sources with what became of each',
  description:
    'All of them, as JSON or, with `format=csv`, as a table for a spreadsheet, in which no cell is taken for a formula. A node that stops breaks the transfer off after a second, so that a part is not taken for the whole.',
  input: z.object({ ...filter, format: z.enum(['json', 'csv']).default('json') }),
  output: PageSchema,
  errors: ['unauthorized', 'server_not_found', 'source_not_found', 'invalid_input'],
})
