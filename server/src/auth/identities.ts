import type { PlanName } from '@docent/contract/operations/purchases'
import { ROLE_NAMES, type Role } from '@docent/contract/values/permissions'
import { DocentError, found } from '#errors.ts'
import type { ProviderSettings } from '#lib/settings.ts'
import {
  type Account,
  anyAccount,
  findAccount,
  findAccountByEmail,
  findOperatorsAccount,
} from '#store/accounts/accounts.ts'
import { insertAuditEntry } from '#store/accounts/audit.ts'
import {
  type InvitationRow,
  type Person,
  accountsOf,
  countOwners,
  deleteInvitations,
  deleteMember,
  endCredentials,
  findInvitation,
  findMember,
  findPersonByEmail,
  findPersonByIdentity,
  insertIdentity,
  insertMember,
  insertPerson,
  updateMember,
  updatePerson,
} from '#store/accounts/people.ts'
import type { Db, Store } from '#store/db.ts'
import { lockAccount } from '#store/servers/servers.ts'
import { newPerson, openAccount } from './accounts.ts'
import { hashSecret } from './secret.ts'

/** A person as a sign-in provider describes them. */
export type Identity = {
  issuer: string
  subject: string
  email: string | null
  /** The provider has confirmed that the address is the person's. */
  isConfirmed: boolean
  groups: readonly string[]
}

type Admission = {
  provider: ProviderSettings
  /** Plan of an account that the person may make, or null if sign-ups are off. */
  signUpPlan: PlanName | null
  /** Person of the browser's session. */
  signedIn: string | null
  /** Secret of an invitation that the browser came with. */
  invitation: string | null
  /** Network address of the browser. */
  address: string
}

/**
 * The person behind an identity: the one who is linked with it, or the one with its confirmed address, or a new one. The
 * groups of the identity change the person's role. Throws `403 not_permitted` for a person of no account.
 */
export async function admitIdentity(store: Store, identity: Identity, by: Admission): Promise<Person> {
  const now = store.clock()
  const { issuer, subject } = identity
  const person = await store.transaction(async (tx) => {
    const known = await findPersonByIdentity(tx, issuer, subject)
    const one = known ?? (await link(tx, identity, by, now))
    if (by.invitation !== null) await acceptInvitation(tx, by.invitation, one, now)
    await applyGroups(tx, one, identity, by, now)
    if ((await accountsOf(tx, one.id)).length > 0) return (await findPersonByIdentity(tx, issuer, subject)) ?? one
    if (by.signUpPlan !== null && (await anyAccount(tx))) return signUp(tx, one, by.signUpPlan, now)
    // That somebody is no member any more must be stored. Somebody who never was one leaves no trace.
    if (known) return null
    throw homeless(one.email)
  })
  if (person) return person
  throw homeless(identity.email ?? 'The person')
}

async function signUp(tx: Db, person: Person, plan: PlanName, now: number): Promise<Person> {
  if (await findAccountByEmail(tx, person.email)) throw new DocentError('email_taken')
  const { id } = await openAccount(tx, { email: person.email, plan, now })
  await insertMember(tx, { accountId: id, personId: person.id, role: 'owner', serverIds: null, createdAt: now })
  return person
}

const homeless = (email: string): DocentError =>
  refusal(`${email} is a member of no account here. Ask an owner of one for an invitation.`)

const refusal = (text: string): DocentError => new DocentError('not_permitted', { text })

/** Links an identity with the person who has its address, or with a new person. */
async function link(tx: Db, { issuer, subject, email, isConfirmed }: Identity, by: Admission, now: number) {
  const { name } = by.provider
  if (email === null) throw refusal(`${name} did not tell your email address, by which accounts are found.`)
  if (!isConfirmed) {
    throw refusal(`${name} has not confirmed that ${email} is your address. Confirm it there, and sign in again.`)
  }
  const known = await findPersonByEmail(tx, email)
  const person = known ?? newPerson({ email, passwordHash: null, confirmedAt: now, now })
  if (!known) await insertPerson(tx, person)
  // Somebody else may have made this account with the person's address, to get at what the person adds to it.
  else if (known.confirmedAt === null && by.signedIn !== known.id) await endCredentials(tx, known.id, now)
  if (person.confirmedAt === null) await updatePerson(tx, person.id, { confirmedAt: now })
  await insertIdentity(tx, { issuer, subject, personId: person.id, createdAt: now })
  return person
}

async function acceptInvitation(tx: Db, secret: string, person: Person, now: number): Promise<void> {
  const invitation = found(await findInvitation(tx, { hash: hashSecret(secret) }, now), 'invitation_not_found')
  if (invitation.email !== person.email) {
    throw refusal(`The invitation is for ${invitation.email}, and you have signed in as ${person.email}.`)
  }
  await joinAccount(tx, invitation, person.id, { now, address: null })
}

/** The account of an invitation. Throws `403 not_permitted` if it is switched off: a member could not sign in to it. */
export async function accountToJoin(db: Db, accountId: string): Promise<Account> {
  const account = found(await findAccount(db, accountId), 'invitation_not_found')
  if (account.disabledAt === null) return account
  throw refusal(
    `The account ${account.name} is switched off here. Open this link again when its operator has switched it on.`,
  )
}

/** Makes a person a member by an invitation. Of concurrent requests with one link, one gets in. */
export async function joinAccount(
  tx: Db,
  { id, accountId, role, serverIds }: InvitationRow,
  personId: string,
  { now, address }: { now: number; address: string | null },
): Promise<void> {
  await accountToJoin(tx, accountId)
  if (!(await deleteInvitations(tx, { id }))) throw new DocentError('invitation_not_found')
  if (!(await findMember(tx, accountId, personId))) {
    await insertMember(tx, { accountId, personId, role, serverIds, createdAt: now })
  }
  await updatePerson(tx, personId, { lastAccountId: accountId })
  await insertAuditEntry(tx, {
    accountId,
    at: now,
    action: 'invitations.accept',
    personId,
    credential: 'invitation',
    credentialId: id,
    address,
    thing: 'person',
    thingId: personId,
    details: JSON.stringify({ role }),
  })
}

/** Makes the person's role that of their groups. The last owner of an account stays one. */
async function applyGroups(tx: Db, { id: personId }: Person, { groups }: Identity, by: Admission, now: number) {
  const { id: provider, roles, account: email } = by.provider
  if (Object.keys(roles).length === 0) return
  const account = found(await (email ? findAccountByEmail(tx, email) : findOperatorsAccount(tx)), 'account_not_found')
  await lockAccount(tx, account.id)
  const role = roleOf(groups, roles)
  const member = await findMember(tx, account.id, personId)
  // Without a group, those who came by an invitation stay as they are.
  const isSame = member?.provider === provider ? member.role === role : role === null
  if (isSame || (member?.role === 'owner' && role !== 'owner' && (await countOwners(tx, account.id)) === 1)) return
  await setRole(tx, { accountId: account.id, personId, isMember: member !== undefined, role, provider, now })
  await insertAuditEntry(tx, {
    accountId: account.id,
    personId,
    at: now,
    action: role === null ? 'members.remove' : 'members.change',
    credential: 'provider',
    credentialId: provider,
    address: by.address,
    thing: 'member',
    thingId: personId,
    details: role === null ? null : JSON.stringify({ role }),
  })
}

/** Of several groups with a role, the one with the most rights counts. */
function roleOf(groups: readonly string[], roles: ProviderSettings['roles']): Role | null {
  const given = groups.map((group) => (Object.hasOwn(roles, group) ? roles[group] : undefined))
  return ROLE_NAMES.findLast((name) => given.includes(name)) ?? null
}

type Setting = {
  accountId: string
  personId: string
  isMember: boolean
  role: Role | null
  provider: string
  now: number
}

async function setRole(tx: Db, { accountId, personId, isMember, role, provider, now }: Setting): Promise<void> {
  if (role === null) return deleteMember(tx, accountId, personId)
  const servers = role === 'owner' ? { serverIds: null } : {}
  if (isMember) await updateMember(tx, accountId, personId, { role, provider, ...servers })
  else await insertMember(tx, { accountId, personId, role, serverIds: null, provider, createdAt: now })
}
