import type { WebhookEvent } from '@docent/contract/operations/webhooks'
import { type Selectable, sql } from 'kysely'
import type { Db } from '#store/db.ts'
import type { Schema } from '#store/schema.ts'
import type { Job } from '#store/jobs/job.ts'
import {
  atMost,
  below,
  changeRow,
  countRows,
  deleteRows,
  findRow,
  insertNewRow,
  insertRow,
  listRows,
  updateRows,
} from '#store/rows.ts'

export type WebhookRow = Selectable<Schema['webhooks']>

export const insertWebhook = (tx: Db, webhook: WebhookRow) => insertRow(tx, 'webhooks', webhook)

/** Oldest first, with the number of deliveries that wait. */
export async function listWebhookRows(db: Db, accountId: string): Promise<(WebhookRow & { waiting: number })[]> {
  const waiting = sql<number>`(
    select count(*) from webhook_deliveries where webhook_id = webhooks.id and state = 'queued')`
  const webhooks = db.selectFrom('webhooks').selectAll().select(waiting.as('waiting'))
  return webhooks.where('accountId', '=', accountId).orderBy('createdAt').orderBy('id').execute()
}

export const findWebhook = (db: Db, accountId: string, id: string) => findRow(db, 'webhooks', { id, accountId })

export const findWebhookById = (db: Db, id: string) => findRow(db, 'webhooks', { id })

/** Webhooks whose address is not encrypted. */
export const readableReceivers = (db: Db) => listRows(db, 'webhooks', { sealedUrl: null }, ['createdAt'])

/** Undefined if the webhook was deleted. */
export const updateWebhookRow = (tx: Db, id: string, values: Partial<Omit<WebhookRow, 'id' | 'accountId'>>) =>
  changeRow(tx, 'webhooks', { id }, values)

/** Deletes secrets from before a rotation that no longer sign. */
export function deleteOldSecrets(db: Db, now: number): Promise<boolean> {
  const none = { sealedPreviousSecret: null, previousSecretUntil: null }
  return updateRows(db, 'webhooks', { previousSecretUntil: atMost(now) }, none)
}

export const deleteWebhook = (db: Db, id: string) => deleteRows(db, 'webhooks', { id })

/** Receivers of an event: an account, or all operators. */
export type Audience = { accountId: string } | 'operators'

/** Ids of the enabled webhooks of an audience that get an event. */
export async function subscribersOf(db: Db, type: WebhookEvent, to: Audience) {
  const rows = await db
    .selectFrom('webhooks')
    .innerJoin('accounts', 'accounts.id', 'webhooks.accountId')
    .select(['webhooks.id', 'accountId', 'events'])
    .where('enabled', '=', 1)
    .where((is) => (to === 'operators' ? is('isOperator', '=', 1) : is('webhooks.accountId', '=', to.accountId)))
    .execute()
  return rows.filter(({ events }) => (JSON.parse(events) as string[]).includes(type))
}

/** Those of some servers whose account has an enabled webhook for an event, with what decides about its log. */
export async function subscribedServers(db: Db, type: WebhookEvent, ids: readonly string[]) {
  const rows = await db
    .selectFrom('servers')
    .innerJoin('webhooks', 'webhooks.accountId', 'servers.accountId')
    .innerJoin('accounts', 'accounts.id', 'servers.accountId')
    .select(['servers.id', 'servers.accountId', 'servers.slug', 'servers.name', 'plan', 'trialEndsAt', 'events'])
    .where('servers.id', 'in', ids)
    .where('enabled', '=', 1)
    .execute()
  return rows.filter(({ events }) => (JSON.parse(events) as string[]).includes(type))
}

/** Notes that a limit or a question was announced in a period. Of concurrent callers, one gets true, later ones false. */
export const insertNotice = (tx: Db, notice: Schema['limitNotices']) => insertNewRow(tx, 'limitNotices', notice)

/** Notices of an account since a time whose subject begins with `prefix`. */
export function countNotices(
  db: Db,
  { accountId, prefix, since }: { accountId: string; prefix: string; since: number },
) {
  const notices = db.selectFrom('limitNotices').where('accountId', '=', accountId).where('createdAt', '>=', since)
  return countRows(notices.where('subject', 'like', `${prefix} %`))
}

/** Deletes notices of periods that are over. */
export const deleteOldNotices = (db: Db, time: number) => deleteRows(db, 'limitNotices', { createdAt: below(time) })

/** The server of a job, if its account has an enabled webhook. Null otherwise: most accounts have none. */
export async function findSubscribedServer(db: Db, { id }: Pick<Job, 'id'>): Promise<string | null> {
  const row = await db
    .selectFrom('jobs')
    .innerJoin('servers', 'servers.id', 'jobs.serverId')
    .select('jobs.serverId')
    .where('jobs.id', '=', id)
    .where(sql<boolean>`exists (select 1 from webhooks where account_id = servers.account_id and enabled = 1)`)
    .executeTakeFirst()
  return row?.serverId ?? null
}
