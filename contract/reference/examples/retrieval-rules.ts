import type { Examples } from '#reference/example.ts'

const listed: Examples<'retrievalRules'>['retrievalRules.list']['output'] = {
  rules: [
    {
      id: 'rule_b7QeYw2NfKd4ZsTgVh9CxU',
      enabled: true,
      priority: 0,
      effects: [{ kind: 'exclude_path', glob: '/guide/legacy/*' }],
      understood: ['Leaves out pages under /guide/legacy.'],
      serverId: 'srv_Th1whzzfCo4mf8OopjEMbj',
      sourceId: null,
      naturalLanguage: 'Leave out pages under /guide/legacy.',
      createdAt: '2026-03-02T09:15:25.000Z',
    },
  ],
  limit: 100,
  available: true,
  example: 'Prefer the API reference over blog posts when a question names a function or an endpoint.',
}

export const ruleExamples: Examples<'retrievalRules'> = {
  'retrievalRules.list': {
    input: {
      serverId: 'srv_Th1whzzfCo4mf8OopjEMbj',
    },
    output: listed,
  },
  'retrievalRules.ofServer': {
    input: {
      id: 'acme-mailer',
    },
    output: listed,
  },
  'retrievalRules.create': {
    input: {
      serverId: 'srv_Th1whzzfCo4mf8OopjEMbj',
      sourceId: null,
      naturalLanguage: 'Prefer pages under /guide when asked about retries, and answer in a friendly tone.',
    },
    output: {
      rule: {
        id: 'rule_Zk3nPq8RtWx1LmVb5JdHsA',
        enabled: true,
        priority: 0,
        effects: [{ kind: 'prefer_path', glob: '/guide/*', weight: 1.5, when: { terms: ['retries'] } }],
        understood: ['Ranks pages under /guide higher, only for questions with “retries”.'],
        serverId: 'srv_Th1whzzfCo4mf8OopjEMbj',
        sourceId: null,
        naturalLanguage: 'Prefer pages under /guide when asked about retries, and answer in a friendly tone.',
        createdAt: '2026-03-02T09:15:25.000Z',
      },
      understood: ['Ranks pages under /guide higher, only for questions with “retries”.'],
      removed: ['answer in a friendly tone'],
    },
  },
  'retrievalRules.preview': {
    input: {
      serverId: 'srv_Th1whzzfCo4mf8OopjEMbj',
      naturalLanguage: 'Leave out pages under /guide/legacy.',
    },
    output: {
      effects: [{ kind: 'exclude_path', glob: '/guide/legacy/*' }],
      understood: ['Leaves out pages under /guide/legacy.'],
      removed: [],
      checked: 12,
      complete: true,
      answer: null,
      changed: [
        {
          callId: 'call_0m8w1xk9cT4nVbQz7RjYpLs2GhDf',
          tool: 'search_docs',
          arguments: { query: 'how long are failed messages retried', limit: 1 },
          before: [
            {
              title: 'Retries in version 1',
              heading: '',
              url: 'https://mailer.example.com/guide/legacy/retries.html',
              sourceId: 'src_uJqzxda1rmpJNq5nww2n9U',
            },
          ],
          after: [
            {
              title: 'Retries',
              heading: 'Schedule of retries',
              url: 'https://mailer.example.com/guide/retries.html#schedule',
              sourceId: 'src_uJqzxda1rmpJNq5nww2n9U',
            },
          ],
          changesAnswer: true,
        },
      ],
    },
  },
  'retrievalRules.update': {
    input: {
      ruleId: 'rule_b7QeYw2NfKd4ZsTgVh9CxU',
      enabled: false,
    },
    output: {
      rule: {
        id: 'rule_b7QeYw2NfKd4ZsTgVh9CxU',
        enabled: false,
        priority: 0,
      },
    },
  },
  'retrievalRules.delete': {
    input: {
      ruleId: 'rule_b7QeYw2NfKd4ZsTgVh9CxU',
    },
    output: {
      ok: true,
    },
  },
}
