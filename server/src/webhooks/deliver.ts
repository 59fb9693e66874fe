import { TEST_EVENT, MAX_LOGGED_ATTEMPTS, RETRY_SECONDS, SWITCH_OFF_AFTER } from '@docent/contract/operations/webhooks'
import { type Vault, fullAddress } from '#auth/vault.ts'
import { DocentError } from '#errors.ts'
import type { NetClient } from '#net/client.ts'
import type { Store, Db } from '#store/db.ts'
import { StoreUnavailableError } from '#store/engine/outages.ts'
import { restUntil } from '#store/engine/queue-changes.ts'
import { databaseTime } from '#store/rows.ts'
import {
  type DeliveryRow,
  bodyOf,
  claimAgain,
  claimDelivery,
  dueDeliveries,
  findDelivery,
  nextDeliveryAt,
  insertDelivery,
  updateClaimed,
  type LoggedAttempt,
  endWaiting,
} from '#store/webhooks/deliveries.ts'
import { type WebhookRow, findWebhookById, updateWebhookRow } from '#store/webhooks/webhooks.ts'
import { openSecrets, type Attempt, send } from './send.ts'

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

/** Makes an attempt now, the only one if the delivery has ended. Throws `409 delivery_under_way` during another. */
export async function deliverAgain(deps: DeliverDeps, delivery: DeliveryRow, signal: AbortSignal) {
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
  const claimed = await insertDelivery(store.write, given, now, LEASE_MS)
  await tryClaimed(deps, { claimed, isFinal: true }, signal)
  return readDelivery(store, claimed.id)
}

async function attempt({ store, vault, net }: DeliverDeps, delivery: DeliveryRow, signal: AbortSignal) {
  const webhook = await findWebhookById(store.read, delivery.webhookId)
  if (!webhook) return failed('The webhook was deleted.')
  const now = store.clock()
  const secrets = openSecrets(vault, webhook, now)
  if (secrets.length === 0) return failed(SEALED)
  const { id, body } = delivery
  return send(net, { id, url: fullAddress(vault, webhook, 'webhookAddresses'), body, secrets, now }, signal)
}

const SEALED =
  'The event cannot be signed, because the key of this instance is missing. Its operator can bring it back.'

const failed = (error: string): Attempt => ({ status: null, error, durationMs: 0, retryAfterMs: null })

const DAY_MS = 24 * 60 * 60 * 1000
/** A receiver can ask for a longer wait, up to this one. */
const LONGEST_WAIT_MS = DAY_MS
/** Spreads the retries of deliveries that failed together: up to a tenth longer. */
const JITTER = 0.1

/** Stores the result of an attempt. Switches the webhook off if it is gone (410) or has failed for days. */
async function settleAttempt(
  store: Pick<Store, 'transaction'>,
  { delivery, isFinal }: { delivery: DeliveryRow; isFinal: boolean },
  attempt: Attempt,
  now: number,
): Promise<void> {
  const isOver = attempt.error === null || isFinal || delivery.attempts > RETRY_SECONDS.length
  const { status, error, durationMs } = attempt
  const entry: LoggedAttempt = { at: now, status, error, durationMs }
  const log = JSON.stringify([...(JSON.parse(delivery.log) as LoggedAttempt[]), entry].slice(-MAX_LOGGED_ATTEMPTS))
  await store.transaction(async (tx) => {
    const isOurs = await updateClaimed(tx, delivery, {
      log,
      ...(isOver
        ? { state: error === null ? ('delivered' as const) : ('failed' as const), settledAt: now }
        : { nextAt: now + waitOf(delivery, attempt) }),
    })
    if (!isOurs) return
    if (error === null)
      await updateWebhookRow(tx, delivery.webhookId, { failures: 0, failingSince: null, lastDeliveredAt: now })
    else if (!isFinal) await noteFailure(tx, delivery.webhookId, attempt, now)
  })
}

export function waitOf({ attempts }: Pick<DeliveryRow, 'attempts'>, { retryAfterMs }: Pick<Attempt, 'retryAfterMs'>) {
  const seconds = RETRY_SECONDS[Math.min(attempts, RETRY_SECONDS.length) - 1] ?? RETRY_SECONDS[0]
  const wait = seconds * 1000 * (1 + Math.random() * JITTER)
  return Math.round(Math.max(wait, Math.min(retryAfterMs ?? 0, LONGEST_WAIT_MS)))
}

async function noteFailure(tx: Db, webhookId: string, { status }: Attempt, now: number): Promise<void> {
  const webhook = await findWebhookById(tx, webhookId)
  if (!webhook || webhook.enabled === 0) return
  const failures = webhook.failures + 1
  const failingSince = webhook.failingSince ?? now
  const hasFailedLong = failures >= SWITCH_OFF_AFTER.attempts && now - failingSince >= SWITCH_OFF_AFTER.days * DAY_MS
  const disabledReason = status === 410 ? GONE : hasFailedLong ? FAILED_LONG : null
  await updateWebhookRow(tx, webhookId, {
    failures,
    failingSince,
    ...(disabledReason === null ? {} : { enabled: 0, disabledReason, updatedAt: now }),
  })
  if (disabledReason !== null) await endWaiting(tx, webhookId, now)
}

const GONE = 'The receiver answered 410: it wants no more events.'
const FAILED_LONG = `No event was delivered for ${SWITCH_OFF_AFTER.days} days. Mend the receiver, send a test, and switch the webhook on again.`

type Deps = DeliverDeps & { onError: (error: unknown) => void }

/** Wait after an error, and for the answer of a receiver whose next delivery is due. */
const LOOK_EVERY_MS = 1_000
/** Concurrent attempts of a node, which mostly wait: one per webhook, and an account has at most ten. */
const AT_ONCE = 128

/** Sends due deliveries until it is disposed of. A webhook gets one at a time from each node, in order. */
export class Deliverer implements AsyncDisposable {
  readonly #deps: Deps
  /** Attempts under way, by webhook. */
  readonly #running = new Map<string, Promise<unknown>>()
  readonly #stopping = new AbortController()
  readonly #heard: Disposable
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> | null = null
  /** The queue has changed since the look under way began. */
  #isStale = false

  constructor(deps: Deps) {
    this.#deps = deps
    this.#heard = deps.store.queue.on(() => this.#look())
    this.#look()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#heard[Symbol.dispose]()
    this.#stopping.abort()
    await this.#looking
    clearTimeout(this.#timer)
    await Promise.all(this.#running.values())
  }

  #look(): void {
    this.#isStale = this.#looking !== null
    if (this.#looking || this.#stopping.signal.aborted) return
    clearTimeout(this.#timer)
    this.#looking = this.#startDue()
      .catch((error: unknown) => {
        this.#report(error)
        return LOOK_EVERY_MS
      })
      .then((restMs) => {
        this.#looking = null
        this.#timer = setTimeout(() => this.#look(), this.#isStale ? 0 : restMs).unref()
      })
  }

  /** Starts attempts at due deliveries. Returns the wait until the next look. */
  async #startDue(): Promise<number> {
    const { read, queue, clock } = this.#deps.store
    while (this.#running.size < AT_ONCE && !this.#stopping.signal.aborted) {
      const due = await dueDeliveries(read, databaseTime(read), [...this.#running.keys()])
      for (const one of due) this.#start(one)
      if (due.length === 0) break
    }
    return restUntil(queue, queue.isHeard() ? await nextDeliveryAt(read) : null, clock())
  }

  #start({ id, webhookId }: { id: string; webhookId: string }): void {
    if (this.#running.has(webhookId) || this.#running.size >= AT_ONCE) return
    const done = deliverOnce(this.#deps, id, this.#stopping.signal)
      .catch((error: unknown) => this.#report(error))
      .finally(() => {
        this.#running.delete(webhookId)
        this.#look()
      })
    this.#running.set(webhookId, done)
  }

  /** During an outage of the database, deliveries wait. */
  #report(error: unknown): void {
    if (!(error instanceof StoreUnavailableError)) this.#deps.onError(error)
  }
}
