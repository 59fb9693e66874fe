import type { Examples } from '#reference/example.ts'

export const linkedAccountExamples: Examples<'linkedAccounts'> = {
  'linkedAccounts.get': {
    input: {
      host: 'github.com',
    },
    output: {
      host: 'github.com',
      linked: false,
      login: null,
      linkedAt: null,
      via: null,
      appAvailable: false,
    },
  },
  'linkedAccounts.link': {
    input: {
      host: 'github.com',
      token: 'ghp_example',
    },
    output: {
      host: 'github.com',
      linked: true,
      login: 'octo',
      linkedAt: '2026-03-02T09:15:25.779Z',
      via: 'token',
      appAvailable: false,
    },
  },
  'linkedAccounts.unlink': {
    input: {
      host: 'github.com',
    },
    output: {
      ok: true,
      removed: 1,
    },
  },
  'linkedAccounts.start': {
    input: {
      host: 'github.com',
    },
    output: {
      authorizeUrl: 'https://github.com/login/oauth/authorize?client_id=Iv1.example&state=f2c1',
      expiresAt: '2026-03-02T09:25:25.000Z',
    },
  },
  'linkedAccounts.finish': {
    input: {
      host: 'github.com',
      state: 'f2c1',
      code: '3b9a',
    },
    output: {
      host: 'github.com',
      linked: true,
      login: 'octo',
      linkedAt: '2026-03-02T09:15:25.779Z',
      via: 'app',
      appAvailable: true,
    },
  },
}
