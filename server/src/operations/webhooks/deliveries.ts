import { MAX_LOGGED_DELIVERIES } from '@docent/contract/operations/webhooks'
import { listDeliveryRows } from '#store/webhooks/deliveries.ts'
import type { Handler } from '../operation.ts'
import { presentDelivery } from './present.ts'

export const listDeliveries: Handler<'webhooks.deliveries'> = async ({ deps, webhook }) => {
  const rows = await listDeliveryRows(deps.store.read, webhook.id, MAX_LOGGED_DELIVERIES)
  return { deliveries: rows.map(presentDelivery) }
}

export const resendDelivery: Handler<'webhooks.resend'> = async ({ deps, delivery, signal }) =>
  presentDelivery(await deps.resendDelivery(delivery, signal))

export const testWebhook: Handler<'webhooks.test'> = async ({ deps, webhook, signal }) =>
  presentDelivery(await deps.testWebhook(webhook, signal))
