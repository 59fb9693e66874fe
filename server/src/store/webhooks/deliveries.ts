import { type EventData, MAX_WAITING_DELIVERIES, type WebhookEvent } from '@docent/contract/operations/webhooks'
import { type Selectable, sql } from 'kysely'
import { newId } from '#lib/ids.ts'
import type { Db } from '#store/db.ts'
import { isSwitchedOn } from '#store/accounts/accounts.ts'
import { type Moment, after } from '#store/jobs/job.ts'
import type { Schema } from '#store/schema.ts'
import { type Audience, subscribersOf } from './webhooks.ts'
import {
  AHEAD_MS,
  above,
  atMost,
  below,
  changeRow,
  countRows,
  deleteRows,
  findRow,
  insertRow,
  isNot,
  listRows,
  updateRows,
} from '#store/rows.ts'

export type DeliveryRow = Selectable<Schema['webhookDeliveries']>

/** One attempt in the log of a delivery. */
export type LoggedAttempt = { at: number; status: number | null; error: string | null; durationMs: number }

/** The body that is signed and sent. */
export const bodyOf = (type: string, now: number, data: unknown): string =>
  JSON.stringify({ type, timestamp: new Date(now).toISOString(), data })

/** Queues an event for each subscribed webhook without too many waiting ones. Returns the number of webhooks. */
export async function queueEvent<Type extends WebhookEvent>(
  tx: Db,
  { type, to, serverId, data }: { type: Type; to: Audience; serverId: string | null; data: EventData<Type> },
  now: number,
): Promise<number> {
  const webhooks = await subscribersOf(tx, type, to)
  for (const { id: webhookId, accountId } of webhooks) {
    if ((await countWaiting(tx, webhookId)) >= MAX_WAITING_DELIVERIES) {
      await updateRows(tx, 'webhooks', { id: webhookId }, { dropped: sql<number>`dropped + 1` })
    } else {
      await insertDelivery(tx, { webhookId, accountId, serverId, type, body: bodyOf(type, now, data) }, now)
    }
  }
  return webhooks.length
}

/** Adds a delivery that is due, or with `leaseMs` already claimed for its first attempt. */
export async function insertDelivery(
  tx: Db,
  given: Pick<DeliveryRow, 'webhookId' | 'accountId' | 'serverId' | 'type' | 'body'>,
  now: number,
  leaseMs = 0,
): Promise<DeliveryRow> {
  const first = { attempts: leaseMs > 0 ? 1 : 0, nextAt: now + leaseMs, createdAt: now, log: '[]', settledAt: null }
  const row = { ...given, ...first, id: newId('msg'), state: 'queued' as const }
  await insertRow(tx, 'webhookDeliveries', row)
  return row
}

export const countWaiting = (db: Db, webhookId: string) =>
  countRows(db.selectFrom('webhookDeliveries').where('webhookId', '=', webhookId).where('state', '=', 'queued'))

/** Due deliveries of webhooks that are not `busy`, of accounts that are switched on, oldest first. The literal state makes SQLite use the partial index. */
export async function dueDeliveries(db: Db, now: Moment, busy: readonly string[]) {
  let query = db
    .selectFrom('webhookDeliveries')
    .select(['id', 'webhookId'])
    .where('state', '=', sql.lit('queued'))
    .where('nextAt', '<=', now)
    .where(isSwitchedOn('accountId'))
  if (busy.length > 0) query = query.where('webhookId', 'not in', busy)
  return query.orderBy('nextAt').orderBy('id').limit(50).execute()
}

/** When the next delivery is due. Null if none is waiting. */
export async function nextDeliveryAt(db: Db): Promise<number | null> {
  const { rows } = await sql<{ at: number | null }>`
    select min(next_at) as at from webhook_deliveries where state = 'queued'`.execute(db)
  return rows[0]?.at ?? null
}

/** Shortens waits for retries that began by a clock that was ahead. */
export async function healDeliveries(db: Db, now: number): Promise<void> {
  const latest = now + AHEAD_MS
  const late = await listRows(db, 'webhookDeliveries', { state: 'queued', nextAt: above(latest) }, ['nextAt', 'desc'])
  for (const { id, nextAt, createdAt, log } of late) {
    const since = (JSON.parse(log) as LoggedAttempt[]).at(-1)?.at ?? createdAt
    if (since > latest) await updateRows(db, 'webhookDeliveries', { id, nextAt }, { nextAt: now + nextAt - since })
  }
}

/** Claims a due delivery for one attempt until the end of the lease. Its number of attempts fences later writes. */
export const claimDelivery = (db: Db, id: string, { now, leaseMs }: Lease): Promise<DeliveryRow | undefined> =>
  changeRow(
    db,
    'webhookDeliveries',
    { id, state: 'queued', nextAt: atMost(now) },
    { attempts: NEXT_ATTEMPT, nextAt: after(now, leaseMs) },
  )

type Lease = { now: Moment; leaseMs: number }
const NEXT_ATTEMPT = sql<number>`attempts + 1`

/** Claims a delivery in any state for one attempt now. Undefined during another attempt. */
export async function claimAgain(db: Db, { id, state, attempts, log }: DeliveryRow, { now, leaseMs }: Lease) {
  const nextAt = after(now, leaseMs)
  // An attempt is counted when it starts and logged when it ends. After a crash its lease ends first.
  const mayBeUnderWay = state === 'queued' && attempts > (JSON.parse(log) as LoggedAttempt[]).length
  const isFree = () => sql<boolean>`(next_at <= ${now} or next_at > ${nextAt})`
  const key = { id, state, attempts, ...(mayBeUnderWay ? { nextAt: isFree } : {}) }
  const claimed = { attempts: NEXT_ATTEMPT, nextAt, state: 'queued' as const, settledAt: null }
  return changeRow(db, 'webhookDeliveries', key, claimed)
}

/** Writes the result of an attempt. False if another node has claimed the delivery since, or it was ended. */
export const updateClaimed = (
  tx: Db,
  { id, attempts }: Pick<DeliveryRow, 'id' | 'attempts'>,
  values: Partial<Pick<DeliveryRow, 'state' | 'attempts' | 'nextAt' | 'log' | 'settledAt'>>,
): Promise<boolean> => updateRows(tx, 'webhookDeliveries', { id, attempts, state: 'queued' }, values)

/** Ends all waiting deliveries of a webhook without another attempt. */
export const endWaiting = (tx: Db, webhookId: string, now: number) =>
  updateRows(tx, 'webhookDeliveries', { webhookId, state: 'queued' }, { state: 'failed', settledAt: now })

/** Newest first. */
export function listDeliveryRows(db: Db, webhookId: string, limit: number): Promise<DeliveryRow[]> {
  const rows = db.selectFrom('webhookDeliveries').selectAll().where('webhookId', '=', webhookId)
  return rows.orderBy('createdAt', 'desc').orderBy('id').limit(limit).execute()
}

export const findDeliveryOf = (db: Db, webhookId: string, id: string) =>
  findRow(db, 'webhookDeliveries', { id, webhookId })

export const findDelivery = (db: Db, id: string) => findRow(db, 'webhookDeliveries', { id })

/** Deletes settled deliveries that were created before `time`, or are beyond the newest `keep` of their webhook. */
export async function pruneDeliveries(db: Db, { time, keep }: { time: number; keep: number }): Promise<void> {
  await deleteRows(db, 'webhookDeliveries', { state: isNot('queued'), createdAt: below(time) })
  const full = await db
    .selectFrom('webhookDeliveries')
    .select('webhookId')
    .groupBy('webhookId')
    .having(sql<number>`count(*)`, '>', keep)
    .execute()
  for (const { webhookId } of full) {
    const kept = await listDeliveryRows(db, webhookId, keep)
    const oldest = kept.at(-1)?.createdAt ?? 0
    await deleteRows(db, 'webhookDeliveries', { webhookId, state: isNot('queued'), createdAt: below(oldest) })
  }
}
