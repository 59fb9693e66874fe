import { z } from 'zod'
import { ServerParameterSchema, ok, pageParameter, paging, sourceId } from '#fields.ts'
import { PAGES_PER_ANSWER } from '#limits.ts'
import { defineOperation } from '#operation.ts'
import { MAX_URL } from '#values/sources.ts'

/** Outcomes of a page; `waiting` pages are known but not read yet. */
const PageStateSchema = z.enum(['indexed', 'skipped', 'failed', 'waiting'])
export type ReportedState = z.infer<typeof PageStateSchema>

const filter = {
  ...ServerParameterSchema.shape,
  sourceId: z.string().min(1).max(100).optional().describe('Only pages of this source'),
  state: PageStateSchema.optional().describe('Only pages in this state'),
  reason: z.string().min(1).max(100).optional().describe('Only pages with this reason'),
  search: z
    .string()
    .max(200)
    .optional()
    .describe('Only pages with each of these words, in any case, in the title or the address'),
}

/** Orders of the list, beside that of the addresses. */
const PageOrderSchema = z
  .enum(['address', 'newest', 'passages'])
  .default('address')
  .describe('`address`: by source, then by address; `newest`: last visited first; `passages`: most passages first')
export type PageOrder = z.infer<typeof PageOrderSchema>

const PageSchema = z.object({
  sourceId,
  url: z.string().describe('Address of the page'),
  title: z.string().nullable().describe('Title of the page; null if it has not been read'),
  state: PageStateSchema.describe('`waiting` pages are known, but not read yet'),
  reason: z
    .string()
    .nullable()
    .describe('Why it was skipped or failed, such as `robots`, `duplicate` or `not_found`; null for other states'),
  detail: z.string().nullable().describe('The reason in a sentence'),
  chunks: z.number().int().describe('Number of its passages in the index'),
  settledAt: z.iso.datetime().nullable().describe('Time of the last visit; null if it was not visited'),
})

export const listPages = defineOperation({
  method: 'GET',
  path: '/api/mcp/{id}/pages',
  auth: 'key',
  needs: ['viewer', 'read'],
  resource: 'server',
  summary: 'List the pages of a server’s sources, with the state of each',
  input: z.object({ ...filter, sort: PageOrderSchema, page: pageParameter }),
  output: z.object({
    pages: z.array(PageSchema).describe('Pages of the sources'),
    ...paging(PAGES_PER_ANSWER),
  }),
  errors: ['unauthorized', 'server_not_found', 'source_not_found', 'invalid_input'],
})

export const exportPages = defineOperation({
  method: 'GET',
  path: '/api/mcp/{id}/pages/export',
  auth: 'key',
  needs: ['viewer', 'read'],
  audited: true,
  resource: 'server',
  produces: 'table',
  summary: 'Export the pages of a server’s sources, with the state of each',
  description:
    'All pages in one answer: a JSON array or, with `format=csv`, a table for spreadsheets. Cells that a spreadsheet could take for formulas are escaped. If the node stops during the transfer, the connection breaks, so that a part is not mistaken for the whole.',
  input: z.object({
    ...filter,
    format: z.enum(['json', 'csv', 'ndjson']).default('json').describe('Format of the answer'),
  }),
  output: PageSchema,
  errors: ['unauthorized', 'server_not_found', 'source_not_found', 'invalid_input'],
})

export const listQuestions = defineOperation({
  method: 'GET',
  path: '/api/mcp/{id}/questions',
  auth: 'key',
  needs: ['viewer', 'read'],
  resource: 'server',
  summary: 'List questions that the pages of a server answer',
  description:
    'Made from headings, first sentences and the tasks of API operations, and tried with `ask_question` when the index is published. Only those with the outcome `answered`, from the section that they were made from, are listed, the most natural first. Empty until the first indexing has ended, and for sources without such parts.',
  input: ServerParameterSchema,
  output: z.object({
    questions: z
      .array(
        z.object({
          question: z.string().describe('The question'),
          url: z.string().describe('Address of the section that answers it'),
          title: z.string().describe('Title of the page'),
          sourceId,
        }),
      )
      .describe('Questions of all sources in turns'),
  }),
  errors: ['unauthorized', 'server_not_found'],
  example: {
    input: { id: 'acme-mailer' },
    output: {
      questions: [
        {
          question: 'How do I retry a failed message?',
          url: 'https://mailer.example.com/retries.html#retry',
          title: 'Retries',
          sourceId: 'src_uJqzxda1rmpJNq5nww2n9U',
        },
      ],
    },
  },
})

/** A page of a source. */
const onePage = {
  ...ServerParameterSchema.shape,
  sourceId,
  url: z.string().min(1).max(MAX_URL).describe('Address of the page, as the list has it'),
}
const PAGE = {
  id: 'acme-mailer',
  sourceId: 'src_uJqzxda1rmpJNq5nww2n9U',
  url: 'https://mailer.example.com/old.html',
}

export const readPageAgain = defineOperation({
  method: 'POST',
  path: '/api/mcp/{id}/sources/{sourceId}/pages/read',
  auth: 'key',
  needs: ['editor', 'write'],
  resource: 'source',
  summary: 'Read one page of a site again',
  description: 'The page is fetched as if it were new, and pages that it links to for the first time are read too.',
  input: z.object(onePage),
  output: z.object({ ok }),
  errors: [
    'unauthorized',
    'server_not_found',
    'source_not_found',
    'invalid_input',
    'page_not_found',
    'pages_read_together',
    'source_is_indexing',
  ],
  example: { input: PAGE, output: { ok: true } },
})

export const leavePageOut = defineOperation({
  method: 'POST',
  path: '/api/mcp/{id}/sources/{sourceId}/pages/leave-out',
  auth: 'key',
  needs: ['editor', 'write'],
  resource: 'source',
  summary: 'Leave one page of a site out',
  description:
    'Adds the path of the page to the patterns to leave out, and takes the page out of the index. No other page is read. To take it in again, remove the pattern from the source.',
  input: z.object(onePage),
  output: z.object({ ok, pattern: z.string().describe('The new pattern of the source') }),
  errors: [...readPageAgain.errors, 'page_has_no_pattern'],
  example: { input: PAGE, output: { ok: true, pattern: '/old.html$' } },
})

/** Pages that link to a page, per answer. */
export const LINKS_PER_ANSWER = 50

export const listLinksTo = defineOperation({
  method: 'GET',
  path: '/api/mcp/{id}/sources/{sourceId}/pages/links',
  auth: 'key',
  needs: ['viewer', 'read'],
  resource: 'source',
  rateLimit: { of: 'searches for links', limit: 60, windowMs: 60_000 },
  summary: 'List the pages of a site that link to one of its pages',
  description:
    'From the links in the texts of indexed pages. Links with texts such as “here” or “next” are not kept, and no page has more than 200.',
  input: z.object(onePage),
  output: z.object({
    links: z
      .array(
        z.object({
          url: z.string().describe('Address of the page that has the link'),
          title: z.string().nullable().describe('Title of that page'),
          text: z.string().describe('Text of the link'),
        }),
      )
      .describe(`At most ${LINKS_PER_ANSWER}, in the order in which the pages were found`),
    total: z.number().int().describe('Number of pages with such a link'),
    navigation: z.array(z.string()).describe('Texts of links to the page in the navigation of the site'),
  }),
  errors: ['unauthorized', 'too_many_requests', 'server_not_found', 'source_not_found', 'invalid_input'],
  example: {
    input: PAGE,
    output: {
      links: [{ url: 'https://mailer.example.com/start.html', title: 'Get started', text: 'the old manual' }],
      total: 1,
      navigation: [],
    },
  },
})

export const pageOperations = {
  'pages.list': listPages,
  'pages.export': exportPages,
  'pages.questions': listQuestions,
  'pages.readAgain': readPageAgain,
  'pages.leaveOut': leavePageOut,
  'pages.linksTo': listLinksTo,
} as const
