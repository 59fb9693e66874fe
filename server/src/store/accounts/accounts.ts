import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db } from '#store/db.ts'
import type { Schema } from '#store/schema.ts'
import { above, atMost, below, deleteRows, findRow, hasRow, insertNewRow, insertRow, updateRows } from '#store/rows.ts'

export type Account = Selectable<Schema['accounts']>

export const insertAccount = (db: Db, account: Insertable<Schema['accounts']>) => insertRow(db, 'accounts', account)

export const findAccount = (db: Db, id: string) => findRow(db, 'accounts', { id })

/** Email addresses are stored in lower case. */
export const findAccountByEmail = (db: Db, email: string) => findRow(db, 'accounts', { email: email.toLowerCase() })

/** The account whose owners operate the instance. */
export const findOperatorsAccount = (db: Db) => findRow(db, 'accounts', { isOperator: 1 })

export const anyAccount = (db: Db) => hasRow(db, 'accounts', {})

export async function setPlan(db: Db, id: string, plan: string): Promise<void> {
  await updateRows(db, 'accounts', { id }, { plan })
}

export const setCallerLimits = (db: Db, id: string, callerLimits: string | null) =>
  updateRows(db, 'accounts', { id }, { callerLimits })

/** Changes the address that names the account, unless another account has it. */
export async function moveAccountEmail(tx: Db, id: string, email: string): Promise<void> {
  if (!(await findAccountByEmail(tx, email))) await updateRows(tx, 'accounts', { id }, { email })
}

export const setDisabled = (db: Db, id: string, disabledAt: number | null) =>
  updateRows(db, 'accounts', { id }, { disabledAt })

/** True for rows of accounts that are not switched off. `column` has the id of the account. */
export const isSwitchedOn = (column: string) =>
  sql<boolean>`not exists (
    select 1 from accounts as switched where switched.id = ${sql.ref(column)} and switched.disabled_at is not null)`

/** Stores a link, and forgets those that were created before `oldest`. */
export async function insertSetupLink(db: Db, link: { hash: string; createdAt: number }, oldest: number) {
  await deleteRows(db, 'setupLinks', { createdAt: below(oldest) })
  await insertRow(db, 'setupLinks', link)
}

export const hasSetupLink = (db: Db, hash: string, oldest: number) =>
  hasRow(db, 'setupLinks', { hash, createdAt: above(oldest - 1) })

/** Deletes all links and returns their hashes. Of two concurrent transactions, one waits and then gets none. */
export async function takeSetupLinks(tx: Db): Promise<string[]> {
  const taken = await tx.deleteFrom('setupLinks').returning('hash').execute()
  return taken.map(({ hash }) => hash)
}

export type IdempotentAnswer = Selectable<Schema['idempotentAnswers']>

export const findIdempotentAnswer = (db: Db, id: string, now: number) =>
  findRow(db, 'idempotentAnswers', { id, expiresAt: above(now) })

/** Stores a response. False if there is one: of concurrent requests, the second waits for the first to commit. */
export async function insertIdempotentAnswer(tx: Db, answer: IdempotentAnswer, now: number): Promise<boolean> {
  await deleteExpiredAnswers(tx, now)
  return insertNewRow(tx, 'idempotentAnswers', answer)
}

export const deleteExpiredAnswers = (db: Db, now: number) =>
  deleteRows(db, 'idempotentAnswers', { expiresAt: atMost(now) })
