import type { WebhookEvent } from '@docent/contract/operations/webhooks'
import { type Selectable, sql } from 'kysely'
import type { Db } from '#store/db.ts'
import type { Schema } from '#store/schema.ts'
import type { Job } from '#store/jobs/job.ts'
import { atMost, below, changeRow, deleteRows, findRow, insertNewRow, insertRow, updateRows } from '#store/rows.ts'

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

/** Notes that a limit was announced in a period. False if it was before: of concurrent callers, one gets true. */
export const insertLimitNotice = (tx: Db, notice: Schema['limitNotices']) => insertNewRow(tx, 'limitNotices', notice)

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
