import type { Examples } from '#reference/example.ts'

/** The members that every new source has. */
export const NEW_SOURCE = {
  crawlStatus: 'pending' as const,
  pagesDiscovered: 0,
  pagesIndexed: 0,
  pagesSkipped: 0,
  pagesFailed: 0,
  skipped: [],
  chunks: 0,
  pdfPages: null,
  lastIndexedAt: null,
  include: [],
  exclude: [],
  versions: [],
  isPrivate: false,
  hasCredential: false,
  allowedTools: [],
}

export const sourceExamples: Examples<'sources'> = {
  'sources.detect': {
    input: {
      url: 'https://mailer.example.com/',
    },
    output: {
      url: 'https://mailer.example.com/',
      type: 'website',
      label: 'Acme Mailer',
      reachable: true,
      problem: null,
      reason: 'Website: no list of its pages, so that its links are followed.',
    },
  },
  'sources.add': {
    input: {
      id: 'acme-mailer',
      url: 'https://mailer.example.com/openapi.json',
      label: 'API',
    },
    output: {
      id: 'src_HSsv7dTskmUK9lIHTDnneK',
      url: 'https://mailer.example.com/openapi.json',
      type: 'api',
      typeReason: null,
      label: 'API',
      ...NEW_SOURCE,
      visibility: 'public',
      issuedToken: null,
    },
  },
  'sources.changeCredential': {
    input: {
      id: 'acme-mailer',
      sourceId: 'src_PrICtCjMfVvqmPxNRjfqW1',
      secret: 'Bearer example',
    },
    output: {
      ok: true,
      hasCredential: true,
      tools: ['get_status', 'list_incidents'],
      visibility: 'private',
      issuedToken: null,
    },
  },
  'sources.upload': {
    input: {
      id: 'acme-mailer',
      name: 'handbook',
      label: 'Handbook',
    },
    output: {
      id: 'src_qxZopf8yS5nW8ffMeab7tK',
      url: 'upload://handbook/',
      type: 'docs',
      typeReason: null,
      label: 'Handbook',
      ...NEW_SOURCE,
    },
  },
  'sources.remove': {
    input: {
      id: 'acme-mailer',
      sourceId: 'src_HSsv7dTskmUK9lIHTDnneK',
    },
    output: {
      ok: true,
      removed: 1,
      purged: {
        chunks: 3,
        crawlUrls: 1,
        indexJobs: 0,
        callCitations: 0,
      },
      remainingPrivateSources: 0,
    },
  },
  'sources.update': {
    input: {
      id: 'acme-mailer',
      sourceId: 'src_HSsv7dTskmUK9lIHTDnneK',
      label: 'HTTP API',
    },
    output: {
      id: 'src_HSsv7dTskmUK9lIHTDnneK',
      url: 'https://mailer.example.com/openapi.json',
      type: 'api',
      typeReason: null,
      label: 'HTTP API',
      crawlStatus: 'complete',
      pagesDiscovered: 1,
      pagesIndexed: 1,
      pagesSkipped: 0,
      pagesFailed: 0,
      skipped: [],
      chunks: 3,
      pdfPages: null,
      lastIndexedAt: '2026-03-02T09:15:23.822Z',
      include: [],
      exclude: [],
      versions: [],
      isPrivate: false,
      hasCredential: false,
      allowedTools: [],
    },
  },
}
