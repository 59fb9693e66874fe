import { z } from 'zod'
import {
  RangeSchema,
  calls,
  citedPage,
  citations,
  client,
  count,
  failed,
  lastAskedAt,
  lastCitedAt,
  milliseconds,
  percentile,
} from '#values/analytics-fields.ts'
import { getQuality, getSeries, listCitedPages, listUnanswered } from './analytics-details.ts'
import { exportCalls, listCalls } from './call-log.ts'
import { ServerParameterSchema, ServerStatusSchema, serverId, slug, sourceId } from '#fields.ts'
import { defineOperation } from '#operation.ts'
import { SourceTypeSchema } from '#values/sources.ts'

const percent = z.number().min(0).max(100)

const summaryFields = {
  serverId,
  slug,
  name: z.string().describe('Name of the server'),
  status: ServerStatusSchema,
  generatedAt: z.iso.datetime().describe('Time of this answer'),
  totalCalls: count.describe('Calls of tools since the server was created'),
  failedCalls: failed,
  successRate: percent.describe('Percentage of calls without error; 100 if there were no calls'),
  avgDurationMs: milliseconds.describe('Mean duration of a call, in milliseconds'),
  activeSources: count.describe('Sources that can be searched now'),
  citedSources: count.describe('Sources that at least one answer cited'),
  toolUsage: z
    .array(
      z.object({
        name: z.string().describe('Name of the tool as called'),
        calls,
        successRate: percent.describe('Percentage of calls without error'),
      }),
    )
    .describe(
      'Calls by tool. Names that the server does not have are included; beyond a limit, they are counted as `(other)`',
    ),
  sourceUsage: z
    .array(
      z.object({
        sourceId,
        url: z.string().describe('Address of the source'),
        label: z.string().nullable().describe('Display name of the source'),
        type: SourceTypeSchema,
        calls: count.describe('Calls whose answer cited the source'),
        citations,
        lastCitedAt: lastCitedAt.nullable().describe('Time of the last citation; null if there was none'),
      }),
    )
    .describe('Citations by source'),
  upgradeUrl: z.url().describe('Page about plans with more analytics'),
}

const QueriesSchema = z.array(
  z.object({
    query: z.string().describe('The question or search, as sent'),
    calls,
    lastAskedAt,
  }),
)

const reportFields = {
  series: z
    .array(
      z.object({
        date: z.iso.date().describe('The day (UTC)'),
        calls,
        failed,
        p50Ms: percentile(50),
        p95Ms: percentile(95),
      }),
    )
    .nullable()
    .describe('One entry for each day with calls, oldest first'),
  clients: z
    .array(
      z.object({
        ...client,
        calls,
        lastCallAt: z.iso.datetime().describe('Time of its last call'),
      }),
    )
    .nullable()
    .describe('Calls by MCP client'),
  topQueries: QueriesSchema.nullable().describe('Most frequent questions and searches'),
  unanswered: QueriesSchema.nullable().describe('Questions and searches with the outcome `related` or `none`'),
  topPages: z
    .array(
      z.object({
        ...citedPage,
      }),
    )
    .nullable()
    .describe('Pages with the most citations'),
  latency: z
    .object({ p50Ms: percentile(50), p95Ms: percentile(95), p99Ms: percentile(99) })
    .nullable()
    .describe('Duration of all calls in the range'),
}

export const getAnalyticsSummary = defineOperation({
  method: 'GET',
  path: '/api/analytics/{id}/summary',
  auth: 'key',
  needs: ['viewer', 'read'],
  resource: 'server',
  summary: 'Read the usage of a server; on every plan',
  input: ServerParameterSchema,
  output: z.object(summaryFields),
  errors: ['unauthorized', 'server_not_found'],
})

/** Days of `analytics.recent`, up to today. */
export const RECENT_DAYS = 7

export const getRecentCalls = defineOperation({
  method: 'GET',
  path: '/api/analytics',
  auth: 'key',
  needs: ['viewer', 'read'],
  summary: `Read the calls of all servers in the last ${RECENT_DAYS} days; on every plan`,
  input: z.object({}),
  output: z.object({
    days: z.array(z.iso.date()).length(RECENT_DAYS).describe('The days (UTC), oldest first; the last one is today'),
    servers: z
      .array(
        z.object({
          serverId,
          calls: z.array(count).length(RECENT_DAYS).describe('Calls of tools on each day'),
          failed: z.array(count).length(RECENT_DAYS).describe('Calls that ended with an error on each day'),
        }),
      )
      .describe('Servers with calls on these days'),
  }),
  errors: ['unauthorized'],
})

export const getAnalytics = defineOperation({
  method: 'GET',
  path: '/api/analytics/{id}',
  auth: 'key',
  needs: ['viewer', 'read'],
  resource: 'server',
  tool: {
    name: 'get_server_analytics',
    title: 'Get the analytics of a server',
    description:
      'Get how a server is used: calls, success rate, duration, and calls by tool and source. Of the last 30 days also calls by day and client, top and unanswered questions, and cited pages; these are null if the plan does not include them.',
    kind: 'read',
    strangers: 'questions, clients, pages and errors',
    arguments: { server: 'id' },
  },
  summary: 'Read the usage of a server in a period, with details from the request log',
  description:
    'Plans without analytics, outside the trial, get `locked: true`, and null for every field that the summary does not have.',
  input: z.object({ ...ServerParameterSchema.shape, range: RangeSchema.default('30d') }),
  output: z.object({
    ...summaryFields,
    range: RangeSchema,
    locked: z.literal(true).optional().describe('Present if the plan does not include these analytics'),
    ...reportFields,
  }),
  errors: ['unauthorized', 'server_not_found', 'invalid_input'],
})

export const analyticsOperations = {
  'analytics.recent': getRecentCalls,
  'analytics.summary': getAnalyticsSummary,
  'analytics.report': getAnalytics,
  'analytics.calls': listCalls,
  'analytics.exportCalls': exportCalls,
  'analytics.series': getSeries,
  'analytics.quality': getQuality,
  'analytics.pages': listCitedPages,
  'analytics.unanswered': listUnanswered,
} as const
