import type { Examples } from '#reference/example.ts'
import { recordedCitation } from './calls.ts'

/** Fields of the summary and of the report. */
const totals = {
  totalCalls: 3,
  failedCalls: 1,
  successRate: 66.67,
  avgDurationMs: 239.21,
  activeSources: 1,
  citedSources: 1,
  toolUsage: [
    {
      name: 'ask_question',
      calls: 1,
      successRate: 100,
    },
    {
      name: 'get_changelog',
      calls: 1,
      successRate: 0,
    },
    {
      name: 'search_docs',
      calls: 1,
      successRate: 100,
    },
  ],
  sourceUsage: [
    {
      sourceId: 'src_uJqzxda1rmpJNq5nww2n9U',
      url: 'https://mailer.example.com/',
      label: 'Handbook',
      type: 'website' as const,
      calls: 2,
      citations: 8,
      lastCitedAt: '2026-03-02T09:15:23.232Z',
    },
  ],
  upgradeUrl: 'http://127.0.0.1:8787/plan',
}

export const analyticsExamples: Examples<'analytics'> = {
  'analytics.recent': {
    input: {},
    output: {
      days: ['2026-02-24', '2026-02-25', '2026-02-26', '2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02'],
      servers: [
        { serverId: 'srv_Th1whzzfCo4mf8OopjEMbj', calls: [12, 30, 28, 17, 3, 2, 21], failed: [0, 1, 0, 0, 0, 0, 2] },
      ],
    },
  },
  'analytics.summary': {
    input: {
      id: 'acme-mailer',
    },
    output: {
      serverId: 'srv_Th1whzzfCo4mf8OopjEMbj',
      slug: 'acme-mailer',
      name: 'Acme Mailer',
      status: 'active',
      generatedAt: '2026-03-02T09:15:25.508Z',
      ...totals,
    },
  },
  'analytics.report': {
    input: {
      id: 'acme-mailer',
      range: '7d',
    },
    output: {
      serverId: 'srv_Th1whzzfCo4mf8OopjEMbj',
      slug: 'acme-mailer',
      name: 'Acme Mailer',
      status: 'active',
      generatedAt: '2026-03-02T09:15:25.518Z',
      ...totals,
      range: '7d',
      series: [
        {
          date: '2026-03-02',
          calls: 3,
          failed: 1,
          p50Ms: 16.95,
          p95Ms: 700.69,
        },
      ],
      clients: [
        {
          name: 'claude-code',
          version: '2.1.0',
          calls: 3,
          lastCallAt: '2026-03-02T09:15:23.236Z',
        },
      ],
      topQueries: [
        {
          query: 'Which port does the webhook listen on?',
          calls: 1,
          lastAskedAt: '2026-03-02T09:15:23.232Z',
        },
        {
          query: 'how long are failed messages retried',
          calls: 1,
          lastAskedAt: '2026-03-02T09:15:23.201Z',
        },
      ],
      unanswered: [
        {
          query: 'Which port does the webhook listen on?',
          calls: 1,
          lastAskedAt: '2026-03-02T09:15:23.232Z',
        },
      ],
      topPages: [
        {
          url: 'https://mailer.example.com/',
          title: 'Acme Mailer',
          sourceId: 'src_uJqzxda1rmpJNq5nww2n9U',
          citations: 2,
          lastCitedAt: '2026-03-02T09:15:23.232Z',
        },
      ],
      latency: {
        p50Ms: 16.95,
        p95Ms: 700.69,
        p99Ms: 700.69,
      },
    },
  },
  'analytics.calls': {
    input: {
      id: 'acme-mailer',
      range: '7d',
      tool: 'search_docs',
    },
    output: {
      calls: [
        {
          id: 'call_0mwrrwmchDUU9mIAccYoMZvvP1Ks9',
          at: '2026-03-02T09:15:23.201Z',
          tool: 'search_docs',
          arguments: {
            query: 'how long are failed messages retried',
          },
          client: {
            name: 'claude-code',
            version: '2.1.0',
          },
          status: 'ok',
          outcome: 'answered',
          durationMs: 12.4,
          citations: [recordedCitation],
        },
      ],
      page: 1,
      pageSize: 20,
      total: 1,
      totalPages: 1,
    },
  },
  'analytics.exportCalls': {
    input: {
      id: 'acme-mailer',
      range: '7d',
      tool: 'search_docs',
      format: 'csv',
    },
    output: [
      {
        id: 'call_0mwrrwmchDUU9mIAccYoMZvvP1Ks9',
        at: '2026-03-02T09:15:23.201Z',
        tool: 'search_docs',
        status: 'ok',
        outcome: 'answered',
        durationMs: 12.4,
        query: 'how long are failed messages retried',
        confidence: null,
        error: null,
        clientName: 'claude-code',
        clientVersion: '2.1.0',
        configurationId: null,
        endUserId: null,
        feedback: null,
        arguments: {
          query: 'how long are failed messages retried',
        },
        citations: [recordedCitation],
      },
    ],
  },
  'analytics.series': {
    input: {
      id: 'acme-mailer',
      range: '7d',
      by: 'client',
    },
    output: {
      range: '7d',
      by: 'client',
      interval: 'day',
      total: {
        calls: 3,
        failed: 1,
        p50Ms: 17.06,
        p95Ms: 695.55,
        p99Ms: 695.55,
      },
      groups: [
        {
          name: 'claude-code',
          label: null,
          calls: 3,
          failed: 1,
          lastCallAt: '2026-03-02T09:15:23.236Z',
          p50Ms: 17.06,
          p95Ms: 695.55,
          p99Ms: 695.55,
          points: [
            {
              at: '2026-03-02T00:00:00.000Z',
              calls: 3,
              failed: 1,
              p50Ms: 17.06,
              p95Ms: 695.55,
            },
          ],
        },
      ],
    },
  },
  'analytics.pages': {
    input: {
      id: 'acme-mailer',
      range: '7d',
    },
    output: {
      range: '7d',
      pages: [
        {
          url: 'https://mailer.example.com/',
          title: 'Acme Mailer',
          sourceId: 'src_uJqzxda1rmpJNq5nww2n9U',
          citations: 2,
          lastCitedAt: '2026-03-02T09:15:23.232Z',
          points: [
            {
              date: '2026-03-02',
              citations: 2,
            },
          ],
        },
      ],
      page: 1,
      pageSize: 20,
      total: 1,
      totalPages: 1,
    },
  },
  'analytics.unanswered': {
    input: {
      id: 'acme-mailer',
      range: '7d',
    },
    output: {
      range: '7d',
      groups: [
        {
          question: 'Which port does the webhook listen on?',
          calls: 3,
          notHelpful: 1,
          reports: 1,
          wordings: 2,
          lastAskedAt: '2026-03-02T09:15:23.232Z',
          examples: [
            {
              query: 'Which port does the webhook listen on?',
              calls: 2,
              notHelpful: 1,
              reports: 1,
              problem: 'The guide names the port of the API only.',
              lastAskedAt: '2026-03-02T09:15:23.232Z',
              callId: 'call_0mwrrwmdcp8rXlq2Ub2LBtIr5Zi1o',
            },
            {
              query: 'What port do webhooks listen on',
              calls: 1,
              notHelpful: 0,
              reports: 0,
              lastAskedAt: '2026-03-02T09:15:22.817Z',
              callId: 'call_0mwrrwm1tYhQ0aXn3vKd8Wc5jRb2e',
            },
          ],
        },
      ],
      complete: true,
      page: 1,
      pageSize: 20,
      total: 1,
      totalPages: 1,
    },
  },
}
