import type { Insertable } from 'kysely'
import type { Db } from '#store/db.ts'
import { type ListPart, below, countRows, deleteRows, insertRow } from '#store/rows.ts'
import type { Schema } from '#store/schema.ts'

export type NewAuditEntry = Insertable<Schema['auditEntries']>

export const insertAuditEntry = (db: Db, entry: NewAuditEntry) => insertRow(db, 'auditEntries', entry)

/** Entries of an account, the newest first, or those before an entry. `by` is a person's address or a key's name. */
export const listAuditEntries = (
  db: Db,
  accountId: string,
  { limit, offset }: ListPart,
  before: number | null = null,
) =>
  db
    .selectFrom('auditEntries')
    .leftJoin('people', 'people.id', 'auditEntries.personId')
    .leftJoin('apiKeys', 'apiKeys.id', 'credentialId')
    .select(['auditEntries.id', 'at', 'action', 'credential', 'credentialId', 'address', 'thing', 'thingId', 'details'])
    .select((is) => is.fn.coalesce('people.email', 'apiKeys.name').as('by'))
    .where('auditEntries.accountId', '=', accountId)
    .$if(before !== null, (query) => query.where('auditEntries.id', '<', before ?? 0))
    .orderBy('auditEntries.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()

export type AuditEntry = Awaited<ReturnType<typeof listAuditEntries>>[number]

export const countAuditEntries = (db: Db, accountId: string) =>
  countRows(db.selectFrom('auditEntries').where('accountId', '=', accountId))

export const deleteOldAuditEntries = (db: Db, oldest: number) => deleteRows(db, 'auditEntries', { at: below(oldest) })
