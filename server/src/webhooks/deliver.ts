import { TEST_EVENT } from '@docent/contract/webhooks'
import type { Vault } from '#auth/vault.ts'
import { DocentError } from '#errors.ts'
import type { NetClient } from '#net/client.ts'
import type { Store } from '#store/db.ts'
import { databaseTime } from '#store/engine/database-time.ts'
import {
  type DeliveryRow,
  bodyOf,
  claimDelivery,
  findDelivery,
  insertDelivery,
  updateClaimed,
} from '#store/webhooks/deliveries.ts'
import { type WebhookRow, findWebhookById } from '#store/webhooks/webhooks.ts'
import { type Attempt, send } from './send.ts'
import { settleAttempt } from './settle-attempt.ts'

export type DeliverDeps = { store: Store; vault: Vault; net: NetClient }

/** Longer than an attempt can take. A node that dies delays its deliveries by at most this time. */
export const LEASE_MS = 30_000

/** Makes one attempt at a delivery if it is due and nobody else has claimed it. An aborted attempt does not count. */
export async function deliverOnce(deps: DeliverDeps, id: string, signal: AbortSignal): Promise<boolean> {
  const { store } = deps
  const claimed = await claimDelivery(store.write, id, { now: databaseTime(store.write), leaseMs: LEASE_MS })
  if (!claimed) return false
  try {
    await settleAttempt(store, claimed, await attempt(deps, claimed, signal), store.clock())
  } catch (error) {
    if (!signal.aborted) throw error
    await updateClaimed(store.write, claimed, { attempts: claimed.attempts - 1, nextAt: store.clock() })
  }
  return true
}

/** Sends a test event to a webhook, once, and returns its delivery. */
export async function deliverTest(deps: DeliverDeps, webhook: WebhookRow, signal: AbortSignal): Promise<DeliveryRow> {
  const { store } = deps
  const now = store.clock()
  const { id: webhookId, accountId } = webhook
  const data = { webhookId, message: 'This is a test. Nothing has happened.' }
  const given = { webhookId, accountId, serverId: null, type: TEST_EVENT, body: bodyOf(TEST_EVENT, now, data) }
  const id = await insertDelivery(store.write, given, now)
  await deliverOnce(deps, id, signal)
  const delivery = await findDelivery(store.write, id)
  // Deleted together with the webhook in the meantime.
  if (!delivery) throw new DocentError('webhook_not_found')
  return delivery
}

async function attempt(
  { store, vault, net }: DeliverDeps,
  delivery: DeliveryRow,
  signal: AbortSignal,
): Promise<Attempt> {
  const webhook = await findWebhookById(store.read, delivery.webhookId)
  if (!webhook) return failed('The webhook was deleted.')
  const secret = openSecret(vault, webhook)
  if (secret === null) return failed(SEALED)
  const { id, body } = delivery
  return send(net, { id, url: webhook.url, body, secret, now: store.clock() }, signal)
}

function openSecret(vault: Vault, { id, sealedSecret }: WebhookRow): string | null {
  try {
    return vault.unseal(sealedSecret, { table: 'webhooks', id })
  } catch (error) {
    if (error instanceof DocentError && error.code === 'credentials_unavailable') return null
    throw error
  }
}

const SEALED =
  'The event cannot be signed, because the key of this instance is missing. Its operator can bring it back.'

const failed = (error: string): Attempt => ({ status: null, error, durationMs: 0, retryAfterMs: null })
