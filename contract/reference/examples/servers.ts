import type { Example, Examples } from '#reference/example.ts'

const summary: Example<'servers.list'>['output'][number] = {
  id: 'srv_Th1whzzfCo4mf8OopjEMbj',
  slug: 'acme-mailer',
  name: 'Acme Mailer',
  description: null,
  visibility: 'public',
  status: 'active',
  url: 'http://127.0.0.1:8787/api/mcp/acme-mailer',
  sourceCount: 1,
  toolCount: 5,
  createdAt: '2026-03-02T09:15:21.049Z',
  updatedAt: '2026-03-02T09:15:21.049Z',
}

const server: Example<'servers.get'>['output'] = {
  ...summary,
  configSnippet:
    '{\n  "mcpServers": {\n    "acme-mailer": {\n      "type": "http",\n      "url": "http://127.0.0.1:8787/api/mcp/acme-mailer"\n    }\n  }\n}',
  tools: ['search_docs', 'ask_question', 'get_code_examples', 'find_api_reference', 'get_quickstart'],
  refresh: 'daily',
  structuredOutput: false,
  redaction: { kinds: [], patterns: [] },
  webPages: 'unlisted',
  lastConnectedAt: '2026-03-02T08:40:11.120Z',
  sources: [
    {
      id: 'src_uJqzxda1rmpJNq5nww2n9U',
      url: 'https://mailer.example.com/',
      type: 'website',
      typeReason: 'Website: no list of its pages, so that its links are followed.',
      label: 'Handbook',
      crawlStatus: 'complete',
      pagesDiscovered: 8,
      pagesIndexed: 6,
      pagesSkipped: 1,
      pagesFailed: 1,
      skipped: [
        {
          reason: 'not_found',
          pages: 1,
          example: 'The site answered 404: there is no such page.',
        },
        {
          reason: 'robots',
          pages: 1,
          example: 'robots.txt asks crawlers to stay away.',
        },
      ],
      chunks: 16,
      pdfPages: null,
      lastIndexedAt: '2026-03-02T09:15:22.460Z',
      include: [],
      exclude: [],
      versions: [],
      isPrivate: false,
      hasCredential: false,
      allowedTools: [],
    },
  ],
}

const started: Example<'servers.crawl'>['output'] = {
  started: true,
  queued: 1,
  status: 'crawling',
  jobs: {
    queued: 1,
    running: 0,
    done: 0,
    failed: 0,
  },
  percent: 99,
  etaSeconds: null,
  pagesPerSecond: null,
  sources: [
    {
      id: 'src_uJqzxda1rmpJNq5nww2n9U',
      crawlStatus: 'pending',
      pagesDiscovered: 8,
      pagesIndexed: 6,
      pagesSkipped: 1,
      pagesFailed: 1,
    },
  ],
}

export const serverExamples: Examples<'servers'> = {
  'servers.create': {
    input: {
      name: 'Acme Mailer',
      sources: [
        {
          url: 'https://mailer.example.com/',
          label: 'Handbook',
        },
      ],
    },
    output: {
      serverId: 'srv_Th1whzzfCo4mf8OopjEMbj',
      slug: 'acme-mailer',
      url: 'http://127.0.0.1:8787/api/mcp/acme-mailer',
      configSnippet:
        '{\n  "mcpServers": {\n    "acme-mailer": {\n      "type": "http",\n      "url": "http://127.0.0.1:8787/api/mcp/acme-mailer"\n    }\n  }\n}',
      visibility: 'public',
      accessToken: null,
    },
  },
  'servers.export': {
    input: { id: 'acme-mailer' },
    output: [
      { kind: 'docent-server', format: 1, docent: '0.1.0', exportedAt: '2026-03-02T10:00:00.000Z' },
      {
        kind: 'server',
        name: 'Acme Mailer',
        description: null,
        visibility: 'public',
        tools: ['search_docs', 'ask_question', 'get_code_examples'],
        refresh: 'daily',
        structuredOutput: false,
        redaction: { kinds: [], patterns: [] },
        webPages: 'unlisted',
      },
      { kind: 'end', lines: 2, sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' },
    ],
    note: 'Without the sources, the rules, the pins and the pages.',
  },
  'servers.import': {
    input: {},
    output: {
      serverId: 'srv_2bVbZhQYrF4N3bUTzLrPkW',
      slug: 'acme-mailer-k3x9qa',
      url: 'http://127.0.0.1:8787/api/mcp/acme-mailer-k3x9qa',
      configSnippet:
        '{\n  "mcpServers": {\n    "acme-mailer-k3x9qa": {\n      "type": "http",\n      "url": "http://127.0.0.1:8787/api/mcp/acme-mailer-k3x9qa",\n      "headers": {\n        "Authorization": "Bearer <ACCESS_TOKEN>"\n      }\n    }\n  }\n}',
      visibility: 'private',
      accessToken: 'dat_iWnoHDd1C93AWZhZIBwMgl2b4uPLSr39bpyM',
      sources: [{ from: 'src_uJqzxda1rmpJNq5nww2n9U', id: 'src_Q6sHcWmD2kX8nV4rTzYpLb' }],
      pages: 6,
    },
  },
  'servers.list': {
    input: {},
    output: [summary],
  },
  'servers.get': {
    input: {
      id: 'acme-mailer',
    },
    output: server,
  },
  'servers.update': {
    input: {
      id: 'acme-mailer',
      description: 'Handbook of Acme Mailer',
      refresh: 'weekly',
    },
    output: {
      ...server,
      description: 'Handbook of Acme Mailer',
      refresh: 'weekly',
      updatedAt: '2026-03-02T09:15:23.259Z',
    },
  },
  'servers.delete': {
    input: {
      id: 'acme-mailer',
    },
    output: {
      ok: true,
      retentionDays: 7,
      deletedAt: '2026-03-02T09:15:27.497Z',
      purgeAt: '2026-03-09T09:15:27.497Z',
    },
  },
  'servers.restore': {
    input: {
      id: 'acme-mailer',
    },
    output: server,
  },
  'servers.setVisibility': {
    input: {
      id: 'acme-mailer',
      visibility: 'private',
    },
    output: {
      ok: true,
      visibility: 'private',
      maxTokens: 10,
      issuedToken: {
        id: 'tok_XnKkIvUd0gHd5itduxyDGl',
        plaintext: 'dat_8zzD8CUhILvO5ma4vzNEuaTCEeLIIx10hDnj',
        createdAt: '2026-03-02T09:15:25.490Z',
      },
    },
  },
  'servers.crawl': {
    input: {
      serverId: 'acme-mailer',
    },
    output: started,
  },
  'servers.crawlOne': {
    input: {
      id: 'acme-mailer',
      sourceId: 'src_uJqzxda1rmpJNq5nww2n9U',
    },
    output: started,
  },
  'servers.progress': {
    input: {
      id: 'acme-mailer',
    },
    output: {
      status: 'crawling',
      jobs: {
        queued: 0,
        running: 1,
        done: 0,
        failed: 0,
      },
      percent: 62,
      etaSeconds: 14,
      pagesPerSecond: 10.8,
      sources: [
        {
          id: 'src_uJqzxda1rmpJNq5nww2n9U',
          crawlStatus: 'crawling',
          pagesDiscovered: 412,
          pagesIndexed: 251,
          pagesSkipped: 3,
          pagesFailed: 1,
        },
      ],
    },
  },
}
