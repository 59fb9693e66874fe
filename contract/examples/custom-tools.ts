import type { Examples } from '../example.ts'

export const customToolExamples: Examples<'customTools'> = {
  'customTools.list': {
    input: {},
    output: {
      tools: [],
      limit: 1000,
      available: false,
    },
  },
  'customTools.create': {
    input: {
      prompt: 'Explain why a message was not delivered, from the reply of the SMTP server.',
    },
    output: [
      {
        type: 'progress',
        stage: 'designing',
        message: 'Designing the tool',
      },
      {
        type: 'tool',
        tool: {
          id: 'ctl_Xo3mB9dVqTz5cRkLw8HnPa',
          name: 'delivery_report',
          displayName: 'Delivery report',
          description: 'Explains why a message was not delivered.',
          status: 'ready',
          inputSchema: {
            type: 'object',
            properties: {
              reply: {
                type: 'string',
                description: 'The reply of the SMTP server',
              },
            },
            required: ['reply'],
          },
          plan: {
            search: 'permanent failure {reply}',
          },
          createdAt: '2026-03-02T09:15:25.000Z',
          updatedAt: '2026-03-02T09:15:28.000Z',
        },
      },
    ],
  },
  'customTools.get': {
    input: {
      toolId: 'ctl_Xo3mB9dVqTz5cRkLw8HnPa',
    },
    output: {
      id: 'ctl_Xo3mB9dVqTz5cRkLw8HnPa',
      name: 'delivery_report',
      displayName: 'Delivery report',
      description: 'Explains why a message was not delivered.',
      status: 'ready',
      inputSchema: {
        type: 'object',
        properties: {
          reply: {
            type: 'string',
            description: 'The reply of the SMTP server',
          },
        },
        required: ['reply'],
      },
      plan: {
        search: 'permanent failure {reply}',
      },
      createdAt: '2026-03-02T09:15:25.000Z',
      updatedAt: '2026-03-02T09:15:28.000Z',
    },
  },
  'customTools.delete': {
    input: {
      toolId: 'ctl_Xo3mB9dVqTz5cRkLw8HnPa',
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
}
