import type { Examples } from '#reference/example.ts'

const plan = {
  name: 'explain_error',
  displayName: 'Explain error',
  description: 'Finds the cause and the fix of an error (SMTP), with sources. Use it when something fails.',
  inputSchema: {
    type: 'object' as const,
    properties: {
      error: {
        type: 'string' as const,
        description: 'The error message or symptom, word for word where possible',
        maxLength: 1000,
      },
    },
    required: ['error'],
  },
  steps: [
    { operation: 'ask_question' as const, arguments: { question: '{error}' } },
    { operation: 'search_docs' as const, arguments: { query: '{error}', limit: 5 }, heading: 'In the documentation' },
  ],
  output: { form: 'answer' as const },
}

const tool = {
  id: 'ct_Xo3mB9dVqTz5cRkLw8HnPa',
  name: plan.name,
  displayName: plan.displayName,
  description: plan.description,
  status: 'ready' as const,
  inputSchema: plan.inputSchema,
  plan,
  prompt: 'Explain why a message was not delivered, from the error message of the SMTP server.',
  createdAt: '2026-03-02T09:15:25.000Z',
  updatedAt: '2026-03-02T09:15:28.000Z',
}

const displayName = 'Explain a bounced message'
const renamed = { ...tool, displayName, plan: { ...plan, displayName }, updatedAt: '2026-03-02T09:20:00.000Z' }

const built = [
  { type: 'progress' as const, stage: 'reading' as const, message: 'Reading 2 sources.' },
  { type: 'progress' as const, stage: 'designing' as const, message: 'Designing a troubleshooter for 214 pages.' },
  {
    type: 'progress' as const,
    stage: 'validating' as const,
    message: 'Trying the tool with “Bounced messages”, “Reply codes”, “Retries”.',
  },
  { type: 'tool' as const, tool },
]

export const customToolExamples: Examples<'customTools'> = {
  'customTools.list': {
    input: {},
    output: {
      tools: [tool],
      limit: 1000,
      available: true,
    },
  },
  'customTools.create': {
    input: {
      prompt: 'Explain why a message was not delivered, from the error message of the SMTP server.',
    },
    output: built,
  },
  'customTools.get': {
    input: {
      toolId: 'ct_Xo3mB9dVqTz5cRkLw8HnPa',
    },
    output: tool,
  },
  'customTools.update': {
    input: {
      toolId: 'ct_Xo3mB9dVqTz5cRkLw8HnPa',
      displayName: renamed.displayName,
    },
    output: renamed,
  },
  'customTools.delete': {
    input: {
      toolId: 'ct_Xo3mB9dVqTz5cRkLw8HnPa',
    },
    output: {
      ok: true,
      detachedFrom: [
        {
          id: 'srv_Th1whzzfCo4mf8OopjEMbj',
          name: 'Acme Mailer',
          slug: 'acme-mailer',
          remainingTools: 5,
        },
      ],
    },
  },
  'customTools.retry': {
    input: {
      toolId: 'ct_Xo3mB9dVqTz5cRkLw8HnPa',
    },
    output: built,
  },
}
