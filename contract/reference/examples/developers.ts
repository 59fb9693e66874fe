import type { Example, Examples } from '#reference/example.ts'

const CONFIGURATION = {
  id: 'cfg_2sYwQOaKZfJt0bV8xNnE4u',
  developerId: 'dev_Vb0QmF3tXk7PzR1cYh9LsA',
  name: 'docs.example.com',
  domain: 'docs.example.com',
  tools: '[{"name":"ask_question","enabled":true},{"name":"search_docs","enabled":true}]',
  sources: '[{"type":"website","enabled":true,"serverId":"srv_Kp4dTz0aQw8RbN6vXy2MfE"}]',
  colors: '{"primary":"#00665e","darkPrimary":"#5fcabc"}',
  layout: 'horizontal',
  fontFamily: '',
  isActive: true,
  createdAt: '2026-03-02T09:20:11.402Z',
  updatedAt: '2026-03-02T09:20:11.402Z',
} as const

const CLIENT_ID = 'dci_7GkQ2nXv5TzYb1LwR8sDcE'

/** The parts of an answer before its end. */
const ANSWER: Example<'embed.ask'>['output'] = [
  { type: 'begin' },
  {
    type: 'citation',
    n: 1,
    title: 'Streaming Helper',
    heading: 'stream()',
    url: 'https://hono.dev/docs/helpers/streaming#stream',
  },
  { type: 'text', text: 'It returns a simple streaming response as `Response` object. [1]' },
]

export const credentialExamples: Examples<'credentials' | 'attributionTokens'> = {
  'credentials.get': {
    input: {},
    output: { clientId: CLIENT_ID, clientSecret: 'dcs_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ', appName: 'ann' },
  },
  'credentials.change': {
    input: { action: 'regenerate_secret' },
    output: { clientId: CLIENT_ID, clientSecret: 'dcs_ZYXWVUTSRQPONMLKJIHGFEDCBA9876543210', appName: 'ann' },
  },
  'attributionTokens.create': {
    input: { clientId: CLIENT_ID, endUserId: 'user-42' },
    output: {
      token: 'dav1_4nTq9LwXb2RzKc7VyJ0sHd.hJ2m0bQnq1Xv9r8yXwq2bQpZ6i3sT0uK5dLrVn4GfYc',
      expiresAt: '2026-03-02T09:35:25.737Z',
      expiresInSeconds: 900,
    },
  },
}

export const configurationExamples: Examples<'configurations'> = {
  'configurations.list': { input: {}, output: [CONFIGURATION] },
  'configurations.save': {
    input: {
      domain: 'docs.example.com',
      tools: CONFIGURATION.tools,
      sources: CONFIGURATION.sources,
      colors: CONFIGURATION.colors,
    },
    output: CONFIGURATION,
  },
  'configurations.try': {
    input: {
      sources: '[{"type":"docs","enabled":true}]',
      tool: 'ask_question',
      question: 'How do I stream a response?',
    },
    output: [...ANSWER, { type: 'end', outcome: 'answered', confidence: 'high', followUps: [], call: '' }],
  },
  'configurations.delete': { input: { configurationId: CONFIGURATION.id }, output: { ok: true } },
}

export const embedExamples: Examples<'embed'> = {
  'embed.configuration': {
    input: { configurationId: CONFIGURATION.id },
    output: {
      layout: 'horizontal',
      fontFamily: '',
      colors: { primary: '#00665e', darkPrimary: '#5fcabc' },
      tools: [
        { name: 'ask_question', title: 'Ask' },
        { name: 'search_docs', title: 'Search' },
      ],
    },
  },
  'embed.openSession': {
    input: { configurationId: CONFIGURATION.id },
    output: {
      session: 'des_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ',
      expiresAt: '2026-03-02T21:20:25.737Z',
      attributed: false,
    },
  },
  'embed.ask': {
    input: { session: 'des_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ', question: 'How do I stream a response?' },
    output: [
      ...ANSWER,
      {
        type: 'end',
        outcome: 'answered',
        confidence: 'high',
        followUps: [],
        call: 'call_0mwrrwmchDUU9mIAccYoMZvvP1Ks9',
      },
    ],
  },
  'embed.feedback': {
    input: {
      session: 'des_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ',
      call: 'call_0mwrrwmchDUU9mIAccYoMZvvP1Ks9',
      helpful: true,
    },
    output: { ok: true },
  },
}
