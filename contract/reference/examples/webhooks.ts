import type { Examples } from '#reference/example.ts'

const WEBHOOK = {
  id: 'whk_1mTb0VQ8sXzKQy3LrWcJ5d',
  url: 'https://hooks.example.com/docent',
  name: 'Chat',
  events: ['server.failed' as const],
  enabled: true,
  disabledReason: null,
  failingSince: null,
  lastDeliveredAt: null,
  waiting: 0,
  previousSecretUntil: null,
  dropped: 0,
  createdAt: '2026-03-02T09:15:25.628Z',
  updatedAt: '2026-03-02T09:15:25.628Z',
}
const DELIVERY = {
  id: 'msg_7xDq1n0BvKc5uEoRzWgY2s',
  type: 'webhook.test',
  state: 'delivered' as const,
  attempts: [{ at: '2026-03-02T09:16:01.240Z', status: 204, error: null, durationMs: 112 }],
  nextAttemptAt: null,
  createdAt: '2026-03-02T09:16:01.120Z',
}
const { id: webhookId, url, name, events } = WEBHOOK

export const webhookExamples: Examples<'webhooks'> = {
  'webhooks.list': {
    input: {},
    output: {
      webhooks: [WEBHOOK],
      maxWebhooks: 10,
      available: [
        { type: 'server.failed', about: 'All indexing of a server has ended, and no source could be indexed' },
      ],
    },
    note: 'One of the events:',
  },
  'webhooks.create': {
    input: { url, name, events },
    output: { ...WEBHOOK, secret: 'whsec_k3Ucyl+0mZ7Vt2nXf1Jq8sQdWb5oHrYgLpTzEaNvCiM=' },
  },
  'webhooks.update': { input: { webhookId, enabled: false }, output: { ...WEBHOOK, enabled: false } },
  'webhooks.rotate': {
    input: { webhookId, overlapHours: 48 },
    output: {
      ...WEBHOOK,
      previousSecretUntil: '2026-03-09T10:00:00.000Z',
      updatedAt: '2026-03-07T10:00:00.000Z',
      secret: 'whsec_Zm9vYmFyYmF6cXV4cXV1eGNvcmdlZ3JhdWx0Z2FycGw=',
    },
  },
  'webhooks.delete': { input: { webhookId }, output: { ok: true } },
  'webhooks.test': { input: { webhookId }, output: DELIVERY },
  'webhooks.deliveries': { input: { webhookId }, output: { deliveries: [DELIVERY] } },
  'webhooks.resend': { input: { webhookId, deliveryId: DELIVERY.id }, output: DELIVERY },
}
