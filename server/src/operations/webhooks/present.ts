import type { WebhookEvent } from '@docent/contract/operations/webhooks'
import type { DeliveryRow, LoggedAttempt } from '#store/webhooks/deliveries.ts'
import type { WebhookRow } from '#store/webhooks/webhooks.ts'
import { isoTime } from '../servers/present.ts'

const timeOrNull = (at: number | null) => (at === null ? null : isoTime(at))

/** A webhook without its secrets. */
export function presentWebhook(row: WebhookRow, { waiting, now }: { waiting: number; now: number }) {
  const { id, url, name, disabledReason, dropped, previousSecretUntil } = row
  return {
    id,
    url,
    name,
    events: JSON.parse(row.events) as WebhookEvent[],
    enabled: row.enabled === 1,
    disabledReason,
    failingSince: timeOrNull(row.failingSince),
    lastDeliveredAt: timeOrNull(row.lastDeliveredAt),
    waiting,
    previousSecretUntil: timeOrNull((previousSecretUntil ?? 0) > now ? previousSecretUntil : null),
    dropped,
    createdAt: isoTime(row.createdAt),
    updatedAt: isoTime(row.updatedAt),
  }
}

export function presentDelivery({ id, type, state, log, nextAt, createdAt }: DeliveryRow) {
  return {
    id,
    type,
    state,
    attempts: (JSON.parse(log) as LoggedAttempt[]).map((attempt) => ({ ...attempt, at: isoTime(attempt.at) })),
    nextAttemptAt: state === 'queued' ? isoTime(nextAt) : null,
    createdAt: isoTime(createdAt),
  }
}
