import type { WebhookEvent } from '@docent/contract/operations/webhooks'
import { type Selectable, sql } from 'kysely'
import type { Db } from '#store/db.ts'
import type { Schema } from '#store/schema.ts'
import type { Job } from '#store/jobs/job.ts'
import { deleteRows, findRow, insertNewRow, insertRow } from '#store/engine/statements.ts'

export type WebhookRow = Selectable<Schema['webhooks']>

export const insertWebhook = (tx: Db, webhook: WebhookRow): Promise<void> => insertRow(tx, 'webhooks', webhook)

/** Oldest first, with the number of deliveries that wait. */
export async function listWebhookRows(db: Db, accountId: string): Promise<(WebhookRow & { waiting: number })[]> {
  return db
    .selectFrom('webhooks')
    .selectAll()
    .select((is) =>
      is
        .selectFrom('webhookDeliveries')
        .select(sql<number>`count(*)`.as('waiting'))
        .whereRef('webhookId', '=', 'webhooks.id')
        .where('state', '=', 'queued')
        .$asScalar()
        .$notNull()
        .as('waiting'),
    )
    .where('accountId', '=', accountId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
}

export const findWebhook = (db: Db, accountId: string, id: string): Promise<WebhookRow | undefined> =>
  findRow(db, 'webhooks', { id, accountId })

export const findWebhookById = (db: Db, id: string): Promise<WebhookRow | undefined> => findRow(db, 'webhooks', { id })

/** Undefined if the webhook was deleted. */
export async function updateWebhookRow(
  tx: Db,
  id: string,
  values: Partial<Omit<WebhookRow, 'id' | 'accountId' | 'createdAt'>>,
): Promise<WebhookRow | undefined> {
  return tx.updateTable('webhooks').set(values).where('id', '=', id).returningAll().executeTakeFirst()
}

/** Deletes secrets from before a rotation that no longer sign. */
export async function deleteOldSecrets(db: Db, now: number): Promise<void> {
  await db
    .updateTable('webhooks')
    .set({ sealedPreviousSecret: null, previousSecretUntil: null })
    .where('previousSecretUntil', '<=', now)
    .execute()
}

export async function deleteWebhook(db: Db, id: string): Promise<void> {
  await deleteRows(db, 'webhooks', { id })
}

/** Receivers of an event: an account, or all operators. */
export type Audience = { accountId: string } | 'operators'

/** Ids of the enabled webhooks of an audience that get an event. */
export async function subscribersOf(
  db: Db,
  type: WebhookEvent,
  to: Audience,
): Promise<Pick<WebhookRow, 'id' | 'accountId'>[]> {
  let query = db
    .selectFrom('webhooks')
    .innerJoin('accounts', 'accounts.id', 'webhooks.accountId')
    .select(['webhooks.id', 'accountId', 'events'])
    .where('enabled', '=', 1)
  query = to === 'operators' ? query.where('isOperator', '=', 1) : query.where('webhooks.accountId', '=', to.accountId)
  const rows = await query.execute()
  return rows.filter(({ events }) => (JSON.parse(events) as string[]).includes(type))
}

/** Notes that a limit was announced in a period. False if it was before: of concurrent callers, one gets true. */
export const insertLimitNotice = (
  tx: Db,
  notice: { accountId: string; subject: string; period: string; createdAt: number },
): Promise<boolean> => insertNewRow(tx, 'limitNotices', notice)

/** Deletes notices of periods that are over. */
export async function deleteOldNotices(db: Db, time: number): Promise<void> {
  await db.deleteFrom('limitNotices').where('createdAt', '<', time).execute()
}

/** The server of a job, if its account has an enabled webhook. Null otherwise: most accounts have none. */
export async function findSubscribedServer(db: Db, { id }: Pick<Job, 'id'>): Promise<string | null> {
  const row = await db
    .selectFrom('jobs')
    .innerJoin('servers', 'servers.id', 'jobs.serverId')
    .select('jobs.serverId')
    .where('jobs.id', '=', id)
    .where((is) =>
      is.exists(
        is
          .selectFrom('webhooks')
          .select('webhooks.id')
          .whereRef('webhooks.accountId', '=', 'servers.accountId')
          .where('enabled', '=', 1),
      ),
    )
    .executeTakeFirst()
  return row?.serverId ?? null
}
