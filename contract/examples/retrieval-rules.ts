import type { Examples } from '../example.ts'

export const ruleExamples: Examples<'retrievalRules'> = {
  'retrievalRules.list': {
    input: {
      serverId: 'srv_Th1whzzfCo4mf8OopjEMbj',
    },
    output: {
      rules: [],
      limit: 100,
      available: false,
      example: 'Prefer the API reference over blog posts when a question names a function or an endpoint.',
    },
  },
  'retrievalRules.create': {
    input: {
      serverId: 'srv_Th1whzzfCo4mf8OopjEMbj',
      sourceId: 'src_HSsv7dTskmUK9lIHTDnneK',
      naturalLanguage: 'Prefer the API description when a question names an endpoint.',
    },
    output: {
      rule: {
        id: 'rul_b7QeYw2NfKd4ZsTgVh9CxU',
        enabled: true,
        priority: 0,
        effects: [{ kind: 'prefer_type', type: 'api' }],
        serverId: 'srv_Th1whzzfCo4mf8OopjEMbj',
        sourceId: 'src_HSsv7dTskmUK9lIHTDnneK',
        naturalLanguage: 'Prefer the API description when a question names an endpoint.',
        createdAt: '2026-03-02T09:15:25.000Z',
      },
      removed: [],
    },
  },
  'retrievalRules.update': {
    input: {
      ruleId: 'rul_b7QeYw2NfKd4ZsTgVh9CxU',
      enabled: false,
    },
    output: {
      rule: {
        id: 'rul_b7QeYw2NfKd4ZsTgVh9CxU',
        enabled: false,
        priority: 0,
      },
    },
  },
  'retrievalRules.delete': {
    input: {
      ruleId: 'rul_b7QeYw2NfKd4ZsTgVh9CxU',
    },
    output: {
      ok: true,
    },
  },
}
