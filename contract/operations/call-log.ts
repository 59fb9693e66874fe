import { z } from 'zod'
import {
  CallStatusSchema,
  CitationSchema,
  FEEDBACK,
  RangeSchema,
  client,
  logFilter,
  milliseconds,
  outcome,
} from '#values/analytics-fields.ts'
import { ServerParameterSchema, pageParameter, paging } from '#fields.ts'
import { defineOperation } from '#operation.ts'

export const PAGE_SIZE = 20

const CALL_ORDERS = ['newest', 'oldest', 'slowest'] as const
export type CallOrder = (typeof CALL_ORDERS)[number]

const id = z.string().describe('Id of the call, for its trace')
const at = z.iso.datetime().describe('Time of the call')
const tool = z.string().describe('Name of the tool')
const sent = z.unknown().describe('Arguments as sent; long texts are cut')
const configurationId = z.string().describe('Id of the widget configuration')
const endUserId = z.string().nullable().describe('Your id of the user, from the attribution token; null without one')
const citations = z.array(CitationSchema).describe('Pages that the answer cited')
const durationMs = milliseconds.describe('Duration in milliseconds')
const status = CallStatusSchema.describe('Result of the call')

export const listCalls = defineOperation({
  method: 'GET',
  path: '/api/analytics/{id}/calls',
  auth: 'key',
  needs: ['viewer', 'read'],
  resource: 'server',
  feature: 'requestLog',
  tool: {
    name: 'get_request_log',
    title: 'Get the request log of a server',
    description: `Read the calls that AI clients made on a server, newest first, ${PAGE_SIZE} per page, with arguments, errors and cited pages. Needs the core analytics tier or the trial. Use it to find questions that failed.`,
    kind: 'read',
    strangers: 'arguments, clients, errors and citations of the calls',
    arguments: { server: 'id', range: 'range', tool: 'tool', client: 'client', status: 'status', page: 'page' },
  },
  summary: 'Read the request log, newest first or in another order',
  input: z.object({
    ...ServerParameterSchema.shape,
    range: RangeSchema.default('all'),
    ...logFilter,
    sort: z.enum(CALL_ORDERS).default('newest').describe('Order: by time, or the slowest first'),
    page: pageParameter,
  }),
  output: z.object({
    calls: z
      .array(
        z.object({
          id,
          at,
          tool,
          arguments: sent,
          client: z.object(client).describe('The MCP client'),
          attribution: z
            .object({ configurationId, endUserId })
            .optional()
            .describe('The widget that asked; absent for MCP clients'),
          status,
          outcome,
          durationMs,
          error: z.string().optional().describe('Message of the error; present if `status` is `error`'),
          feedback: z
            .enum(FEEDBACK)
            .optional()
            .describe('What the visitor of a widget said about the answer; absent if nothing'),
          citations,
        }),
      )
      .describe('Calls of tools, in the order that was asked for'),
    ...paging(PAGE_SIZE),
  }),
  errors: ['unauthorized', 'server_not_found', 'request_log_locked', 'invalid_input'],
})

export const exportCalls = defineOperation({
  method: 'GET',
  path: '/api/analytics/{id}/calls/export',
  auth: 'key',
  needs: ['viewer', 'read'],
  audited: true,
  resource: 'server',
  feature: 'requestLog',
  produces: 'table',
  summary: 'Export the request log, newest first',
  description:
    'All calls that match, in one answer: a JSON array or, with `format=csv`, a table for spreadsheets. The log keeps the last 50,000 calls of a server, for 400 days. Cells that a spreadsheet could take for formulas are escaped; arguments and citations are JSON. If the node stops during the transfer, the connection breaks, so that a part is not mistaken for the whole.',
  input: z.object({
    ...ServerParameterSchema.shape,
    range: RangeSchema.default('all'),
    ...logFilter,
    format: z.enum(['json', 'csv', 'ndjson']).default('json').describe('Format of the answer'),
  }),
  output: z.object({
    id,
    at,
    tool,
    status,
    outcome,
    durationMs,
    query: z.string().nullable().describe('The question or search among the arguments; null for other tools'),
    confidence: z
      .string()
      .nullable()
      .describe(
        'How well the sources support the answer to a question: high, medium, low or none; null for other tools',
      ),
    error: z.string().nullable().describe('Message of the error; null if `status` is `ok`'),
    clientName: client.name,
    clientVersion: client.version,
    configurationId: configurationId.nullable().describe('Id of the widget configuration; null for MCP clients'),
    endUserId,
    feedback: z
      .enum(FEEDBACK)
      .nullable()
      .describe('What the visitor of a widget said about the answer; null if nothing'),
    arguments: sent,
    citations,
  }),
  errors: ['unauthorized', 'server_not_found', 'request_log_locked', 'invalid_input'],
})
