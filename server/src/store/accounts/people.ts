import type { Role } from '@docent/contract/values/permissions'
import type { Insertable, Selectable } from 'kysely'
import type { Db } from '#store/db.ts'
import { above, atMost, countRows, deleteRows, findRow, insertRow, listRows, updateRows } from '#store/rows.ts'
import type { Schema } from '#store/schema.ts'

export type Person = Selectable<Schema['people']>
export type InvitationRow = Selectable<Schema['invitations']>

export const insertPerson = (tx: Db, person: Person) => insertRow(tx, 'people', person)

export const findPerson = (db: Db, id: string) => findRow(db, 'people', { id })

/** Email addresses are stored in lower case. */
export const findPersonByEmail = (db: Db, email: string) => findRow(db, 'people', { email: email.toLowerCase() })

export const updatePerson = (db: Db, id: string, values: Partial<Omit<Person, 'id'>>) =>
  updateRows(db, 'people', { id }, values)

export const insertMember = (tx: Db, member: Insertable<Schema['members']>) => insertRow(tx, 'members', member)

/** The members of an account with their addresses, the oldest first. */
const membersOf = (db: Db, accountId: string) =>
  db
    .selectFrom('members')
    .innerJoin('people', 'people.id', 'personId')
    .select(['people.id', 'email', 'role', 'serverIds', 'members.createdAt', 'provider'])
    .where('accountId', '=', accountId)

export const listMembers = (db: Db, accountId: string) =>
  membersOf(db, accountId).orderBy('members.createdAt').orderBy('people.id').execute()

export const findMember = (db: Db, accountId: string, personId: string) =>
  membersOf(db, accountId).where('personId', '=', personId).executeTakeFirst()

export type Member = NonNullable<Awaited<ReturnType<typeof findMember>>>

export const countOwners = (db: Db, accountId: string) =>
  countRows(db.selectFrom('members').where('accountId', '=', accountId).where('role', '=', 'owner'))

export const updateMember = (
  tx: Db,
  accountId: string,
  personId: string,
  values: { role: Role; serverIds?: string | null; provider?: string },
) => updateRows(tx, 'members', { accountId, personId }, values)

/** Removes a member. Sessions and connections in the account end with it. */
export async function deleteMember(tx: Db, accountId: string, personId: string): Promise<void> {
  await deleteRows(tx, 'members', { accountId, personId })
  await deleteRows(tx, 'invitations', { accountId, personId })
  await deleteRows(tx, 'sessions', { accountId, personId })
  await deleteRows(tx, 'oauthGrants', { accountId, personId })
}

/** The person whom a sign-in provider knows by this subject. */
export const findPersonByIdentity = (db: Db, issuer: string, subject: string) =>
  db
    .selectFrom('identities')
    .innerJoin('people', 'people.id', 'personId')
    .selectAll('people')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()

export const insertIdentity = (tx: Db, identity: Selectable<Schema['identities']>) =>
  insertRow(tx, 'identities', identity)

/** Ends everything by which a person could sign in or call: password, sessions, connections and keys. */
export async function endCredentials(tx: Db, personId: string, revokedAt: number): Promise<void> {
  await updatePerson(tx, personId, { passwordHash: null })
  await deleteRows(tx, 'sessions', { personId })
  await deleteRows(tx, 'oauthGrants', { personId })
  await updateRows(tx, 'apiKeys', { personId, revokedAt: null }, { revokedAt })
}

/** The accounts of a person that are not switched off, the oldest membership first. */
export const accountsOf = (db: Db, personId: string) =>
  db
    .selectFrom('members')
    .innerJoin('accounts', 'accounts.id', 'accountId')
    .selectAll('accounts')
    .select('role')
    .where('personId', '=', personId)
    .where('disabledAt', 'is', null)
    .orderBy('members.createdAt')
    .orderBy('accounts.id')
    .execute()

export const insertInvitation = (tx: Db, invitation: InvitationRow) => insertRow(tx, 'invitations', invitation)

/** Invitations that can be accepted, the newest first. Links for new passwords are not among them. */
export const listInvitations = (db: Db, accountId: string, now: number) =>
  listRows(db, 'invitations', { accountId, personId: null, expiresAt: above(now) }, ['createdAt', 'desc'])

export const findInvitation = (db: Db, key: Partial<Pick<InvitationRow, 'id' | 'hash' | 'accountId'>>, now: number) =>
  findRow(db, 'invitations', { ...key, expiresAt: above(now) })

/** Deletes invitations. Of several callers that delete the same one, exactly one gets true. */
export const deleteInvitations = async (tx: Db, key: Partial<Pick<InvitationRow, 'id' | 'accountId' | 'email'>>) =>
  (await deleteRows(tx, 'invitations', key)) > 0

export const deleteExpiredInvitations = (db: Db, now: number) =>
  deleteRows(db, 'invitations', { expiresAt: atMost(now) })
