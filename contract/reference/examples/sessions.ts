import type { Example, Examples } from '#reference/example.ts'

const account: Example<'sessions.create'>['output']['account'] = {
  id: 'acc_E8T8NO20CH1Q2Ja1b4dl5A',
  email: 'ann@example.com',
  name: 'ann',
  plan: 'unlimited',
  isOperator: false,
  role: 'owner',
  serverIds: null,
  accounts: [
    { id: 'acc_E8T8NO20CH1Q2Ja1b4dl5A', name: 'ann', role: 'owner' },
    { id: 'acc_Kq7ZbNw6VcLs1PGu2XkR4m', name: 'Acme', role: 'editor' },
  ],
}

export const sessionExamples: Examples<'sessions'> = {
  'sessions.create': {
    input: {
      email: 'ann@example.com',
      password: 'correct horse battery',
    },
    output: {
      session: {
        id: 'ses_q6Aki2ZhmGyTGcD5hPVKuj',
        createdAt: '2026-03-02T09:15:25.737Z',
        lastUsedAt: '2026-03-02T09:15:25.737Z',
        expiresAt: '2026-03-16T09:15:25.737Z',
        userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
        current: true,
      },
      account,
      failedSignIns: 0,
    },
  },
  'sessions.list': {
    input: {},
    output: {
      account,
      sessions: [
        {
          id: 'ses_q6Aki2ZhmGyTGcD5hPVKuj',
          createdAt: '2026-03-02T09:15:25.737Z',
          lastUsedAt: '2026-03-02T09:15:25.737Z',
          expiresAt: '2026-03-16T09:15:25.737Z',
          userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
          current: false,
        },
      ],
    },
  },
  'sessions.switch': { input: { accountId: 'acc_Kq7ZbNw6VcLs1PGu2XkR4m' }, output: { ok: true } },
  'sessions.end': {
    input: {
      sessionId: 'ses_q6Aki2ZhmGyTGcD5hPVKuj',
    },
    output: {
      ok: true,
      ended: 1,
    },
  },
}
