import type { Examples } from '#reference/example.ts'

export const accessTokenExamples: Examples<'accessTokens'> = {
  'accessTokens.list': {
    input: {
      id: 'acme-mailer',
    },
    output: {
      tokens: [
        {
          id: 'tok_yUnVTL2fjD35FKSfPpm7Ex',
          name: 'Ann',
          last4: 'bpyM',
          createdAt: '2026-03-02T09:15:25.472Z',
          lastUsedAt: null,
        },
      ],
      maxTokens: 10,
    },
  },
  'accessTokens.create': {
    input: {
      id: 'acme-mailer',
      name: 'Ann',
    },
    output: {
      id: 'tok_yUnVTL2fjD35FKSfPpm7Ex',
      name: 'Ann',
      last4: 'bpyM',
      createdAt: '2026-03-02T09:15:25.472Z',
      lastUsedAt: null,
      plaintext: 'dat_iWnoHDd1C93AWZhZIBwMgl2b4uPLSr39bpyM',
    },
  },
  'accessTokens.revoke': {
    input: {
      id: 'acme-mailer',
      tokenId: 'tok_yUnVTL2fjD35FKSfPpm7Ex',
    },
    output: {
      ok: true,
    },
  },
}
