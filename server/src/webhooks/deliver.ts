import { TEST_EVENT } from '@docent/contract/operations/webhooks'
import type { Vault } from '#auth/vault.ts'
import { DocentError } from '#errors.ts'
import type { NetClient } from '#net/client.ts'
import type { Store } from '#store/db.ts'
import { databaseTime } from '#store/engine/statements.ts'
import {
  type DeliveryRow,
  bodyOf,
  claimAgain,
  claimDelivery,
  findDelivery,
  insertDelivery,
  updateClaimed,
} from '#store/webhooks/deliveries.ts'
import { type WebhookRow, findWebhookById } from '#store/webhooks/webhooks.ts'
import { openSecrets } from './open-secrets.ts'
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
  await tryClaimed(deps, { claimed, isFinal: claimed.type === TEST_EVENT }, signal)
  return true
}

/**
 * Makes an attempt at a delivery now, and returns the delivery. One that has ended gets this attempt only. Throws
 * `409 delivery_under_way` while another attempt is under way.
 */
export async function deliverAgain(
  deps: DeliverDeps,
  delivery: DeliveryRow,
  signal: AbortSignal,
): Promise<DeliveryRow> {
  const { store } = deps
  const claimed = await claimAgain(store.write, delivery, { now: databaseTime(store.write), leaseMs: LEASE_MS })
  if (!claimed) throw new DocentError('delivery_under_way')
  const { state, settledAt } = delivery
  const isFinal = state !== 'queued'
  await tryClaimed(deps, { claimed, isFinal, ...(isFinal ? { before: { state, settledAt } } : {}) }, signal)
  return readDelivery(store, delivery.id)
}

type Try = {
  claimed: DeliveryRow
  /** No retry follows, and a failure does not count. */
  isFinal: boolean
  /** The state of a delivery after an aborted attempt. By default, it is due. */
  before?: Pick<DeliveryRow, 'state' | 'settledAt'>
}

async function tryClaimed(deps: DeliverDeps, { claimed, isFinal, before }: Try, signal: AbortSignal): Promise<void> {
  const { store } = deps
  try {
    const result = await attempt(deps, claimed, signal)
    await settleAttempt(store, { delivery: claimed, isFinal }, result, store.clock())
  } catch (error) {
    if (!signal.aborted) throw error
    const values = { attempts: claimed.attempts - 1, nextAt: store.clock(), ...before }
    await updateClaimed(store.write, claimed, values)
  }
}

async function readDelivery({ read }: Store, id: string): Promise<DeliveryRow> {
  const delivery = await findDelivery(read, id)
  // Deleted together with the webhook in the meantime.
  if (!delivery) throw new DocentError('webhook_not_found')
  return delivery
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
  return readDelivery(store, id)
}

async function attempt(
  { store, vault, net }: DeliverDeps,
  delivery: DeliveryRow,
  signal: AbortSignal,
): Promise<Attempt> {
  const webhook = await findWebhookById(store.read, delivery.webhookId)
  if (!webhook) return failed('The webhook was deleted.')
  const now = store.clock()
  const secrets = openSecrets(vault, webhook, now)
  if (secrets.length === 0) return failed(SEALED)
  const { id, body } = delivery
  return send(net, { id, url: webhook.url, body, secrets, now }, signal)
}

const SEALED =
  'The event cannot be signed, because the key of this instance is missing. Its operator can bring it back.'

const failed = (error: string): Attempt => ({ status: null, error, durationMs: 0, retryAfterMs: null })
