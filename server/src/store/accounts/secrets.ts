import { type Insertable, sql } from 'kysely'
import type { Db } from '#store/db.ts'
import type { Schema } from '#store/schema.ts'
import { countRows, deleteRows, findRow, insertNewRow, insertRow, saveRow } from '#store/rows.ts'

/** Id of the current encryption key, or undefined before the first one. */
export async function currentKeyId(db: Db): Promise<string | undefined> {
  return (await findRow(db, 'secretKeys', { isCurrent: 1 }))?.id
}

/** Makes the first key current. If two nodes start with different keys, the faster one wins. */
export const insertFirstKey = (db: Db, id: string, createdAt: number) =>
  insertNewRow(db, 'secretKeys', { id, isCurrent: 1, createdAt })

/** Forgets all keys, when no secret is encrypted with them. The next start makes a new one. */
export const forgetKeys = (db: Db) => deleteRows(db, 'secretKeys', {})

/** Makes another key current, and locks the table for the rest of the transaction. */
export async function replaceCurrentKey(tx: Db, id: string, createdAt: number): Promise<void> {
  await forgetKeys(tx)
  await insertRow(tx, 'secretKeys', { id, isCurrent: 1, createdAt })
}

/** The columns of encrypted values, which a key rotation must cover, with the key of their tables. */
const SEALED = {
  webhooks: ['webhooks', 'id', 'sealedSecret'],
  webhookAddresses: ['webhooks', 'id', 'sealedUrl'],
  webhookPreviousSecrets: ['webhooks', 'id', 'sealedPreviousSecret'],
  developers: ['developers', 'id', 'sealedSecret'],
  credentials: ['credentials', 'sourceId', 'sealed'],
  sources: ['sources', 'id', 'sealedUrl'],
  linkedAccounts: ['linkedAccounts', 'id', 'sealed'],
  siteAccess: ['siteAccess', 'id', 'sealed'],
  sourcePushes: ['sourcePushes', 'sourceId', 'sealed'],
  linkedAccountRefreshes: ['linkedAccounts', 'id', 'sealedRefresh'],
} as const

export type SealedTable = keyof typeof SEALED
export type SealedValue = { table: SealedTable; id: string; sealed: string }

/** All encrypted values. There are few: credentials and addresses of sources, and secrets of sites, pushes, linked accounts, developers and webhooks. */
export async function listSealedValues(tx: Db): Promise<SealedValue[]> {
  const values: SealedValue[] = []
  for (const place of Object.keys(SEALED) as SealedTable[]) {
    const [table, key, column] = SEALED[place]
    const { rows } = await sql<Omit<SealedValue, 'table'>>`select ${sql.ref(key)} as id, ${sql.ref(column)} as sealed
      from ${sql.table(table)} where ${sql.ref(column)} is not null`.execute(tx)
    values.push(...rows.map((row) => ({ table: place, ...row })))
  }
  return values
}

export async function updateSealedValue(tx: Db, { table: place, id, sealed }: SealedValue): Promise<void> {
  const [table, key, column] = SEALED[place]
  await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${sealed} where ${sql.ref(key)} = ${id}`.execute(tx)
}

export const findCredential = (db: Db, sourceId: string) => findRow(db, 'credentials', { sourceId })

export const saveCredential = (tx: Db, credential: Insertable<Schema['credentials']>) =>
  saveRow(tx, 'credentials', ['sourceId'], credential)

export const deleteCredential = (tx: Db, sourceId: string) => deleteRows(tx, 'credentials', { sourceId })

export async function sourcesWithCredential(db: Db, serverId: string): Promise<Set<string>> {
  const sources = db.selectFrom('credentials').innerJoin('sources', 'sources.id', 'credentials.sourceId')
  const rows = await sources.select('sourceId').where('serverId', '=', serverId).execute()
  return new Set(rows.map(({ sourceId }) => sourceId))
}

/** Counts the sources that require the server to be private: private repositories, sites read with a credential, and MCP sources with a credential or an address that has one. */
export function countPrivateSources(db: Db, serverId: string): Promise<number> {
  const sources = db.selectFrom('sources').leftJoin('credentials', 'credentials.sourceId', 'sources.id')
  const isPrivate = sql<boolean>`(is_private = 1 or credentials.source_id is not null
    or (sealed_url is not null and type = 'mcp'))`
  return countRows(sources.where('serverId', '=', serverId).where(isPrivate))
}
