import type { Examples } from '#reference/example.ts'

const SINCE = '2026-03-02T08:00:11.402Z'
const BACKUP = { name: 'docent-20260302T092011Z.tar', bytes: 48_300_032, createdAt: '2026-03-02T09:20:11.000Z' }
const ACCOUNT = {
  id: 'acc_E8T8NO20CH1Q2Ja1b4dl5A',
  email: 'ann@example.com',
  plan: 'free',
  isOperator: false,
  trialEndsAt: '2026-03-16T09:15:25.737Z',
  servers: 2,
  requests: 31,
  disabledAt: null,
  createdAt: '2026-03-02T09:15:25.737Z',
} as const

export const instanceExamples: Examples<'instance'> = {
  'instance.get': {
    input: {},
    output: {
      version: '0.2.0',
      nodeVersion: '24.12.0',
      startedAt: SINCE,
      url: 'https://docs.example.org',
      database: { engine: 'sqlite', version: '3.50.4', bytes: 61_870_080, answerMs: 0.2 },
      disk: { folder: '/var/lib/docent', freeBytes: 71_203_336_192, totalBytes: 98_294_390_784 },
      memory: { usedBytes: 171_966_464, freeBytes: 5_201_817_600, totalBytes: 8_201_453_568, processors: 2 },
      nodes: [{ id: 'b3f0c2a1', role: 'all', version: '0.2.0', host: 'docs-1', since: SINCE, isThis: true }],
      queue: { queued: 2, running: 1, failed: 1, oldestDueAt: '2026-03-02T09:20:07.118Z' },
      storage: {
        accounts: 4,
        servers: 7,
        sources: 12,
        pages: 3_904,
        textCharacters: 41_203_118,
        indexBytes: 38_912_004,
        uploadBytes: 2_310_144,
      },
      models: { language: { model: 'gpt-5-mini', at: 'api.openai.com' }, embeddings: null, browser: true },
      settings: { signUps: true, passwords: true, defaultPlan: 'free', rateLimits: true },
    },
  },
  'instance.jobs': {
    input: { state: 'failed' },
    output: {
      jobs: [
        {
          id: '118',
          kind: 'ingest',
          state: 'failed',
          attempts: 5,
          error: 'The site answered 503.',
          server: { serverId: 'srv_Kp4dTz0aQw8RbN6vXy2MfE', name: 'Hono documentation' },
          source: 'https://hono.dev/docs',
          account: 'ann@example.com',
          runAt: '2026-03-02T09:14:02.118Z',
          createdAt: '2026-03-02T09:12:40.004Z',
          updatedAt: '2026-03-02T09:14:03.551Z',
        },
      ],
      page: 1,
      pageSize: 20,
      total: 1,
      totalPages: 1,
    },
  },
  'instance.retryJob': { input: { jobId: '118' }, output: { ok: true } },
  'instance.retryJobs': { input: {}, output: { ok: true, retried: 1 } },
  'instance.dismissJob': { input: { jobId: '118' }, output: { ok: true } },
  'instance.accounts': {
    input: { email: 'ann' },
    output: { accounts: [ACCOUNT], page: 1, pageSize: 20, total: 1, totalPages: 1 },
  },
  'instance.changePlan': {
    input: { accountId: ACCOUNT.id, plan: 'core' },
    output: { ...ACCOUNT, plan: 'core' },
  },
  'instance.switchAccount': {
    input: { accountId: ACCOUNT.id, disabled: true },
    output: { ...ACCOUNT, disabledAt: '2026-03-04T09:15:25.737Z' },
  },
  'instance.backups': {
    input: {},
    output: { folder: '/var/lib/docent/backups', backups: [{ ...BACKUP, isComplete: true }], lastError: null },
  },
  'instance.createBackup': { input: {}, output: { ...BACKUP, bytes: 0, isComplete: false } },
}
