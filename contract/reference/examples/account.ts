import type { Example, Examples } from '#reference/example.ts'

const key: Example<'keys.list'>['output']['keys'][number] = {
  id: 'key_xivlGRK95c3Hvh8sG0WsO2',
  name: 'CI',
  last4: 'Qsvy',
  scope: 'servers',
  serverIds: ['srv_Th1whzzfCo4mf8OopjEMbj'],
  scopes: ['read', 'ask'],
  forAssistant: false,
  createdAt: '2026-03-02T09:15:25.628Z',
  lastUsedAt: null,
}

export const accountExamples: Examples<'account' | 'keys' | 'events'> = {
  'events.watch': {
    input: {},
    output: [
      {
        type: 'progress',
        serverId: 'srv_Th1whzzfCo4mf8OopjEMbj',
        status: 'active',
        jobs: {
          queued: 0,
          running: 0,
          done: 1,
          failed: 0,
        },
        percent: 100,
        etaSeconds: null,
        pagesPerSecond: null,
        sources: [
          {
            id: 'src_uJqzxda1rmpJNq5nww2n9U',
            crawlStatus: 'complete',
            pagesDiscovered: 8,
            pagesIndexed: 6,
            pagesSkipped: 1,
            pagesFailed: 1,
          },
        ],
      },
      {
        type: 'heartbeat',
        at: '2026-03-02T09:15:25.591Z',
      },
    ],
  },
  'account.usage': {
    input: {},
    output: {
      plan: 'unlimited',
      period: {
        start: '2026-03-01T00:00:00.000Z',
        end: '2026-04-01T00:00:00.000Z',
      },
      servers: {
        used: 1,
        limit: null,
      },
      sources: [
        {
          serverId: 'srv_Th1whzzfCo4mf8OopjEMbj',
          used: 1,
          limit: null,
          paidCredits: 0,
        },
      ],
      customTools: {
        used: 0,
        limit: 1000,
      },
      mcpRequests: {
        used: 2,
        limit: null,
        remaining: null,
        resetsAt: '2026-04-01T00:00:00.000Z',
      },
    },
  },
  'account.changePassword': {
    input: { current: 'correct horse battery', password: 'another horse battery' },
    output: { ok: true, endedSessions: 1, revokedKeys: 0 },
  },
  'account.entitlements': {
    input: {},
    output: {
      plan: 'unlimited',
      trial: {
        active: false,
        endsAt: null,
      },
      key: {
        scope: 'account',
        serverIds: null,
      },
      limits: {
        servers: null,
        sourcesPerServer: null,
        trialSourcesOnFirstServer: null,
        sourceBytesPerServer: null,
        minToolsPerServer: 3,
        maxToolsPerServer: 10,
        customTools: 1000,
        rulesPerServer: 100,
        mcpRequestsPerMonth: null,
        retentionDays: 7,
        customToolPromptMinLength: 20,
        customToolPromptMaxLength: 1000,
        customToolSources: 8,
        ruleMinLength: 20,
        ruleMaxLength: 600,
        rulePriorityMin: -100,
        rulePriorityMax: 100,
        credentialSecretMaxLength: 4096,
      },
      rateLimits: [{ of: 'requests to create a server', limit: 10, windowSeconds: 3600 }],
      features: {
        requestLog: true,
        analytics: true,
        customTools: false,
        retrievalRules: true,
        llm: false,
        embeddings: false,
        javascriptRendering: false,
      },
    },
    note: 'The other rate limits are left out.',
  },
  'keys.list': {
    input: {},
    output: {
      keys: [key],
      maxKeys: 100,
    },
  },
  'keys.create': {
    input: {
      name: 'CI',
      serverIds: ['srv_Th1whzzfCo4mf8OopjEMbj'],
      scopes: ['read', 'ask'],
    },
    output: {
      ...key,
      plaintext: 'dk_live_NZQ8YyXAnlE8Ttk102g9dDC9JzGhT249Qsvy',
    },
  },
  'keys.revoke': {
    input: {
      keyId: 'key_xivlGRK95c3Hvh8sG0WsO2',
    },
    output: {
      ok: true,
    },
  },
}
