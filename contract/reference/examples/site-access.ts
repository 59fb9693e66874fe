import type { Examples } from '#reference/example.ts'

const SAVED = {
  id: 'sit_5mWq2nB8',
  origin: 'https://handbook.example.com',
  kind: 'cookie' as const,
  createdAt: '2026-03-02T09:15:25.779Z',
  lastUsedAt: null,
  sources: [
    {
      sourceId: 'src_1kQv7tRz',
      serverId: 'srv_8sLd3fGh',
      slug: 'handbook',
      url: 'https://handbook.example.com/',
      usesAccess: false,
    },
  ],
}

export const siteAccessExamples: Examples<'siteAccess'> = {
  'siteAccess.list': { input: {}, output: { siteAccess: [SAVED] } },
  'siteAccess.save': { input: { origin: SAVED.origin, cookie: 'session=example' }, output: SAVED },
  'siteAccess.remove': { input: { siteAccessId: SAVED.id }, output: { ok: true, sources: 1 } },
}
