import type { Examples } from '#reference/example.ts'

export const pageExamples: Examples<'pages'> = {
  'pages.list': {
    input: {
      id: 'acme-mailer',
      state: 'skipped',
    },
    output: {
      pages: [
        {
          sourceId: 'src_uJqzxda1rmpJNq5nww2n9U',
          url: 'https://mailer.example.com/private/x.html',
          title: null,
          state: 'skipped',
          reason: 'robots',
          detail: 'robots.txt asks crawlers to stay away.',
          chunks: 0,
          settledAt: '2026-03-02T09:15:21.970Z',
        },
      ],
      page: 1,
      pageSize: 50,
      total: 1,
      totalPages: 1,
    },
  },
  'pages.export': {
    input: {
      id: 'acme-mailer',
      state: 'failed',
    },
    output: [
      {
        sourceId: 'src_uJqzxda1rmpJNq5nww2n9U',
        url: 'https://mailer.example.com/old.html',
        title: null,
        state: 'failed',
        reason: 'not_found',
        detail: 'The site answered 404: there is no such page.',
        chunks: 0,
        settledAt: '2026-03-02T09:15:21.989Z',
      },
    ],
  },
}
