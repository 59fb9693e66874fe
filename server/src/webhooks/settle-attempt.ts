import { MAX_LOGGED_ATTEMPTS, RETRY_SECONDS, SWITCH_OFF_AFTER } from '@docent/contract/operations/webhooks'
import type { Db, Store } from '#store/db.ts'
import { type DeliveryRow, type LoggedAttempt, endWaiting, updateClaimed } from '#store/webhooks/deliveries.ts'
import { type WebhookRow, findWebhookById, updateWebhookRow } from '#store/webhooks/webhooks.ts'
import type { Attempt } from './send.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** A receiver can ask for a longer wait, up to this one. */
const LONGEST_WAIT_MS = DAY_MS
/** Spreads the retries of deliveries that failed together: up to a tenth longer. */
const JITTER = 0.1

/**
 * Stores the result of an attempt: delivered, due again later, or given up. Switches the webhook off if it was gone
 * (410) or has failed for days. A failure of a final attempt, such as a test, counts for neither.
 */
export async function settleAttempt(
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
    if (error === null) await noteSuccess(tx, delivery.webhookId, now)
    else if (!isFinal) await noteFailure(tx, delivery.webhookId, attempt, now)
  })
}

/** Milliseconds until the next attempt. */
export function waitOf({ attempts }: Pick<DeliveryRow, 'attempts'>, { retryAfterMs }: Pick<Attempt, 'retryAfterMs'>) {
  const seconds = RETRY_SECONDS[Math.min(attempts, RETRY_SECONDS.length) - 1] ?? RETRY_SECONDS[0]
  const wait = seconds * 1000 * (1 + Math.random() * JITTER)
  return Math.round(Math.max(wait, Math.min(retryAfterMs ?? 0, LONGEST_WAIT_MS)))
}

async function noteSuccess(tx: Db, webhookId: string, now: number): Promise<void> {
  await updateWebhookRow(tx, webhookId, { failures: 0, failingSince: null, lastDeliveredAt: now })
}

async function noteFailure(tx: Db, webhookId: string, { status }: Attempt, now: number): Promise<void> {
  const webhook = await findWebhookById(tx, webhookId)
  if (!webhook || webhook.enabled === 0) return
  const failures = webhook.failures + 1
  const failingSince = webhook.failingSince ?? now
  const disabledReason = status === 410 ? GONE : hasFailedLong({ failures, failingSince }, now) ? FAILED_LONG : null
  await updateWebhookRow(tx, webhookId, {
    failures,
    failingSince,
    ...(disabledReason === null ? {} : { enabled: 0, disabledReason, updatedAt: now }),
  })
  if (disabledReason !== null) await endWaiting(tx, webhookId, now)
}

type Failing = Pick<WebhookRow, 'failures'> & { failingSince: number }

const hasFailedLong = ({ failures, failingSince }: Failing, now: number): boolean =>
  failures >= SWITCH_OFF_AFTER.attempts && now - failingSince >= SWITCH_OFF_AFTER.days * DAY_MS

const GONE = 'The receiver answered 410: it wants no more events.'
const FAILED_LONG = `No event was delivered for ${SWITCH_OFF_AFTER.days} days. Mend the receiver, send a test, and switch the webhook on again.`
