import type { Insertable } from 'kysely'
import type { Db } from '#store/db.ts'
import { type ListPart, below, containsText, countRows, deleteRows, hasRow, insertRow } from '#store/rows.ts'
import type { Schema } from '#store/schema.ts'

export type NewAuditEntry = Insertable<Schema['auditEntries']>

export const insertAuditEntry = (db: Db, entry: NewAuditEntry) => insertRow(db, 'auditEntries', entry)

/** Entries to read: those that fit all given parts. `noun`: the beginning of actions, such as `keys`. */
export type AuditFilter = {
  search?: string | undefined
  memberId?: string | undefined
  noun?: string | undefined
  thing?: string | undefined
}

const entriesOf = (db: Db, accountId: string, { search, memberId, noun, thing }: AuditFilter) =>
  db
    .selectFrom('auditEntries')
    .leftJoin('people', 'people.id', 'auditEntries.personId')
    .leftJoin('apiKeys', 'apiKeys.id', 'credentialId')
    .where('auditEntries.accountId', '=', accountId)
    .$if(search !== undefined, (query) => query.where(containsText(db, SEARCHED, search ?? '')))
    .$if(memberId !== undefined, (query) => query.where('auditEntries.personId', '=', memberId ?? null))
    .$if(noun !== undefined, (query) => query.where('action', 'like', `${noun}.%`))
    .$if(thing !== undefined, (query) => query.where('thing', '=', thing ?? null))

const SEARCHED = ['people.email', 'apiKeys.name', 'action', 'thingId', 'credentialId', 'address', 'details']

/** Entries of an account, the newest first, or those before an entry. `by` is a person's address or a key's name. */
export const listAuditEntries = (
  db: Db,
  accountId: string,
  { limit, offset, before = null, ...filter }: ListPart & AuditFilter & { before?: number | null },
) =>
  entriesOf(db, accountId, filter)
    .select(['auditEntries.id', 'at', 'action', 'credential', 'credentialId', 'address', 'thing', 'thingId', 'details'])
    .select((is) => is.fn.coalesce('people.email', 'apiKeys.name').as('by'))
    .$if(before !== null, (query) => query.where('auditEntries.id', '<', before ?? 0))
    .orderBy('auditEntries.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()

export type AuditEntry = Awaited<ReturnType<typeof listAuditEntries>>[number]

export const countAuditEntries = (db: Db, accountId: string, filter: AuditFilter) =>
  countRows(entriesOf(db, accountId, filter))

/** Failed sign-ins of a person since the last sign-in. */
export async function countFailedSignIns(db: Db, accountId: string, personId: string): Promise<number> {
  const own = db.selectFrom('auditEntries').where('accountId', '=', accountId).where('personId', '=', personId)
  const [last] = await own.select('id').where('action', '=', 'sessions.create').orderBy('id', 'desc').limit(1).execute()
  return countRows(own.where('action', '=', 'sessions.failed').where('id', '>', last?.id ?? 0))
}

/** True if the person has signed in from this network address. */
export const hasSignedInFrom = (
  db: Db,
  { id: personId, lastAccountId: accountId }: { id: string; lastAccountId: string | null },
  address: string,
) => hasRow(db, 'auditEntries', { accountId: accountId ?? '', personId, action: 'sessions.create', address })

export const deleteOldAuditEntries = (db: Db, oldest: number) => deleteRows(db, 'auditEntries', { at: below(oldest) })
