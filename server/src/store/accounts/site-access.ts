import { sql, type Insertable, type Selectable } from 'kysely'
import type { Db } from '#store/db.ts'
import type { Schema } from '#store/schema.ts'
import { deleteRows, findRow, listRows, saveRow, updateRows } from '#store/rows.ts'

export type SiteAccess = Selectable<Schema['siteAccess']>

export const listSiteAccess = (db: Db, accountId: string) => listRows(db, 'siteAccess', { accountId }, ['origin'])

export const findSiteAccess = (
  db: Db,
  key: { accountId: string; id: string } | { accountId: string; origin: string },
) => findRow(db, 'siteAccess', key)

/** Saves it in place of the one of this origin. */
export const saveSiteAccess = (tx: Db, row: Insertable<Schema['siteAccess']>) =>
  saveRow(tx, 'siteAccess', ['accountId', 'origin'], row)

export const deleteSiteAccess = (tx: Db, { id, accountId }: Pick<SiteAccess, 'id' | 'accountId'>) =>
  deleteRows(tx, 'siteAccess', { id, accountId })

export const noteSiteAccess = (db: Db, id: string, lastUsedAt: number) =>
  updateRows(db, 'siteAccess', { id }, { lastUsedAt })

/** The account of a source's server. */
export async function findAccountOfSource(db: Db, sourceId: string): Promise<string | undefined> {
  const sources = db.selectFrom('sources').innerJoin('servers', 'servers.id', 'sources.serverId')
  return (await sources.select('accountId').where('sources.id', '=', sourceId).executeTakeFirst())?.accountId
}

/** The sources of an account at an origin that site access is for, also those of deleted servers. By server. */
export async function listSourcesAt(db: Db, { accountId, origin }: Pick<SiteAccess, 'accountId' | 'origin'>) {
  const start = `${origin}/`
  return db
    .selectFrom('sources')
    .innerJoin('servers', 'servers.id', 'sources.serverId')
    .select(['sources.id', 'sources.url', 'serverId', 'slug', 'isPrivate', 'usesLinkedAccount', 'deletedAt'])
    .where('accountId', '=', accountId)
    .where('type', 'not in', ['repo', 'mcp'])
    .where(sql`substr(url, 1, ${sql.lit(start.length)})`, '=', start)
    .orderBy('serverId')
    .orderBy('sources.id')
    .execute()
}
