import { z } from 'zod'
import { ServerParameterSchema, pageParameter, paging, sourceId } from '#fields.ts'
import { defineOperation } from '#operation.ts'

/** Pages per answer of the list. */
export const PAGES_PER_ANSWER = 50

/** Outcomes of a page; `waiting` pages are known but not read yet. */
const PageStateSchema = z.enum(['indexed', 'skipped', 'failed', 'waiting'])
export type ReportedState = z.infer<typeof PageStateSchema>

const filter = {
  ...ServerParameterSchema.shape,
  sourceId: z.string().min(1).max(100).optional().describe('Only pages of this source'),
  state: PageStateSchema.optional().describe('Only pages in this state'),
  reason: z.string().min(1).max(100).optional().describe('Only pages with this reason'),
}

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
  resource: 'server',
  summary: 'List the pages of a server’s sources, with the state of each',
  description: 'Sorted by source, then by address.',
  input: z.object({ ...filter, page: pageParameter }),
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
  resource: 'server',
  produces: 'table',
  summary: 'Export the pages of a server’s sources, with the state of each',
  description:
    'All pages in one answer: a JSON array or, with `format=csv`, a table for spreadsheets. Cells that a spreadsheet could take for formulas are escaped. If the node stops during the transfer, the connection breaks, so that a part is not mistaken for the whole.',
  input: z.object({ ...filter, format: z.enum(['json', 'csv']).default('json').describe('Format of the answer') }),
  output: PageSchema,
  errors: ['unauthorized', 'server_not_found', 'source_not_found', 'invalid_input'],
})

export const listQuestions = defineOperation({
  method: 'GET',
  path: '/api/mcp/{id}/questions',
  auth: 'key',
  resource: 'server',
  summary: 'List questions that the pages of a server answer',
  description:
    'Made from headings and first sentences, and tried with `ask_question` when the index is published. Only those with the outcome `answered`, from the section that they were made from, are listed, the most natural first. Empty until the first indexing has ended, and for sources without such sections.',
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

export const pageOperations = {
  'pages.list': listPages,
  'pages.export': exportPages,
  'pages.questions': listQuestions,
} as const
