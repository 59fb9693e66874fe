import { MAX_WEBHOOKS, WEBHOOK_EVENTS, type WebhookEvent } from '@docent/contract/operations/webhooks'
import { listWebhookRows } from '#store/webhooks/webhooks.ts'
import type { Handler } from '../operation.ts'
import { OF_INSTANCE } from './check-webhook.ts'
import { presentWebhook } from './present.ts'

export const listWebhooks: Handler<'webhooks.list'> = async ({ deps, actor }) => {
  const rows = await listWebhookRows(deps.store.read, actor.accountId)
  const now = deps.clock()
  const types = Object.keys(WEBHOOK_EVENTS) as WebhookEvent[]
  return {
    webhooks: rows.map((row) => presentWebhook(row, { waiting: row.waiting, now })),
    maxWebhooks: MAX_WEBHOOKS,
    available: types
      .filter((type) => actor.isOperator || !OF_INSTANCE.has(type))
      .map((type) => ({ type, about: WEBHOOK_EVENTS[type].about })),
  }
}
