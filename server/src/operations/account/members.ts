import { INVITATION_DAYS, MAX_MEMBERS } from '@docent/contract/operations/members'
import { SIGN_IN_LIMITS } from '@docent/contract/operations/sessions'
import { PASSWORD } from '@docent/contract/operations/setup'
import type { Role } from '@docent/contract/values/permissions'
import { hashNewPassword, newPerson } from '#auth/accounts.ts'
import { accountToJoin, joinAccount } from '#auth/identities.ts'
import { hashSecret, newSecret } from '#auth/secret.ts'
import { findSession } from '#auth/sessions.ts'
import { DocentError, found } from '#errors.ts'
import { isoTimes } from '#lib/clock.ts'
import { newId } from '#lib/ids.ts'
import { moveAccountEmail } from '#store/accounts/accounts.ts'
import { deleteGrantsExcept } from '#store/accounts/grants.ts'
import { revokeKeysOf } from '#store/accounts/keys.ts'
import {
  type InvitationRow,
  type Member,
  type Person,
  countOwners,
  deleteInvitations,
  deleteMember,
  findInvitation,
  findMember,
  findPerson,
  findPersonByEmail,
  insertInvitation,
  insertPerson,
  listInvitations,
  listMembers,
  updateMember,
  updatePerson,
} from '#store/accounts/people.ts'
import type { Db } from '#store/db.ts'
import { lockAccount } from '#store/servers/servers.ts'
import { type HandlersOf, type OperationDeps, type Visitor, done } from '../operation.ts'
import { enforceRateLimit } from '../rate-limits.ts'
import { refuseUnknownServers } from './keys.ts'
import { openVisitorSession, requireBrowser, requirePasswords, verifySignIn } from './sessions.ts'

const LIFETIME_MS = INVITATION_DAYS * 24 * 60 * 60 * 1000

export const memberHandlers: HandlersOf<'members' | 'invitations'> = {
  'members.list': async ({ deps: { store, clock }, actor }) => {
    const { accountId, personId, role } = actor
    const members = await listMembers(store.read, accountId)
    const invitations = role === 'owner' ? await listInvitations(store.read, accountId, clock()) : []
    return {
      members: members.map((member) => presentMember(member, personId)),
      invitations: invitations.map(presentInvitation),
      maxMembers: MAX_MEMBERS,
    }
  },

  'members.invite': async ({ deps, actor: { accountId }, remember }, { email: given, role, serverIds }) => {
    const { plaintext, hash } = newSecret('dmi_')
    const email = given.toLowerCase()
    const now = deps.clock()
    return deps.store.transaction(async (tx) => {
      await lockAccount(tx, accountId)
      const members = await listMembers(tx, accountId)
      if (members.some((member) => member.email === email)) throw new DocentError('member_exists')
      await deleteInvitations(tx, { accountId, email })
      const open = await listInvitations(tx, accountId, now)
      if (members.length + open.length >= MAX_MEMBERS) {
        throw new DocentError('member_limit', { fields: { limit: MAX_MEMBERS } })
      }
      const seen = await readServers(tx, { accountId, role, serverIds })
      const about = { id: newId('inv'), hash, accountId, email, role, serverIds: seen, personId: null }
      const invitation = { ...about, createdAt: now, expiresAt: now + LIFETIME_MS }
      await insertInvitation(tx, invitation)
      return remember(tx, { ...presentInvitation(invitation), link: `${deps.baseUrl()}/invite#${plaintext}` })
    })
  },

  'members.withdraw': ({ deps, invitation }) => done(deps, (tx) => deleteInvitations(tx, { id: invitation.id })),

  'members.change': async ({ deps, actor, member }, { role, serverIds }) => {
    const { accountId, personId } = actor
    return changeAccount(deps, accountId, async (tx) => {
      const values = { role, serverIds: await readServers(tx, { accountId, role, serverIds }) }
      await updateMember(tx, accountId, member.id, values)
      if (values.serverIds !== null) {
        await deleteGrantsExcept(tx, accountId, member.id, JSON.parse(values.serverIds) as string[])
      }
      return presentMember(found(await findMember(tx, accountId, member.id), 'member_not_found'), personId)
    })
  },

  'members.transfer': async ({ deps, actor: { accountId, personId }, member }, { from = personId }) => {
    const text = 'A key is no member, so say in "from" which owner becomes an editor.'
    if (from === null) throw new DocentError('not_permitted', { text })
    await changeAccount(deps, accountId, async (tx) => {
      const before = found(await findMember(tx, accountId, from), 'member_not_found')
      if (before.role !== 'owner') throw new DocentError('member_not_found')
      await updateMember(tx, accountId, from, { role: 'editor', serverIds: null })
      await updateMember(tx, accountId, member.id, { role: 'owner', serverIds: null })
      await moveAccountEmail(tx, accountId, member.email)
    })
    return { ok: true }
  },

  'members.remove': async ({ deps, actor: { accountId }, member }, { keepKeys = false }) => {
    const revokedKeys = await changeAccount(deps, accountId, async (tx) => {
      await deleteMember(tx, accountId, member.id)
      return keepKeys ? 0 : revokeKeysOf(tx, accountId, member.id, deps.clock())
    })
    return { ok: true, revokedKeys }
  },

  'members.leave': async ({ deps, actor: { accountId, personId }, visitor }) => {
    if (personId === null) throw new DocentError('not_permitted', { text: 'A key is no member, so it cannot leave.' })
    await changeAccount(deps, accountId, (tx) => deleteMember(tx, accountId, personId))
    visitor?.forgetSession()
    return { ok: true }
  },

  'invitations.read': async ({ deps, visitor }, { token }) => {
    const invitation = await readToken(deps, visitor, token)
    const account = await accountToJoin(deps.store.read, invitation.accountId)
    const person = await findPersonByEmail(deps.store.read, invitation.email)
    return {
      ...presentInvitation(invitation),
      account: account.name,
      isKnown: person !== undefined && invitation.personId === null,
    }
  },

  'invitations.accept': async ({ deps, visitor, signal }, { token, password }) => {
    const browser = requireBrowser(visitor)
    const invitation = await readToken(deps, visitor, token)
    const { accountId, email } = invitation
    const known = await findPersonByEmail(deps.store.read, email)
    const by = { network: browser.address, signal }
    // The link of a reset stands for the password, and sets a new one.
    const isReset = known !== undefined && invitation.personId === known.id
    const verified = known && (isReset ? known : await verifyKnown(deps, known, { browser, password, by }))
    if (!known || isReset) requirePasswords(deps)
    const fresh = known && !isReset ? null : await personWith(email, password, deps.clock())
    const person = found(verified ?? fresh, 'sign_in_failed')
    await deps.store.transaction(async (tx) => {
      if (isReset) await updatePerson(tx, person.id, { passwordHash: fresh?.passwordHash ?? null })
      else if (fresh) await insertPerson(tx, fresh)
      await joinAccount(tx, invitation, person.id, { now: deps.clock(), address: browser.address })
    })
    return openVisitorSession(deps, browser, person.id, accountId)
  },
}

const presentMember = ({ serverIds, ...member }: Member, you: string | null) => ({
  ...isoTimes(member),
  serverIds: serverIds === null ? null : (JSON.parse(serverIds) as string[]),
  isYou: member.id === you,
})

const presentInvitation = ({ serverIds, ...invitation }: InvitationRow) => ({
  ...isoTimes(invitation),
  serverIds: serverIds === null ? null : (JSON.parse(serverIds) as string[]),
})

type Chosen = { accountId: string; role: Role; serverIds: readonly string[] | null | undefined }

/** The servers of a member as JSON. An owner sees all. Throws `404 server_not_found`. */
async function readServers(tx: Db, { accountId, role, serverIds }: Chosen): Promise<string | null> {
  if (role === 'owner' || !serverIds) return null
  await refuseUnknownServers(tx, accountId, serverIds)
  return JSON.stringify([...new Set(serverIds)])
}

/** Changes the members of an account, one change after the other. Throws `409 last_owner` if no owner is left. */
const changeAccount = <T>({ store }: OperationDeps, accountId: string, change: (tx: Db) => Promise<T>): Promise<T> =>
  store.transaction(async (tx) => {
    await lockAccount(tx, accountId)
    const answer = await change(tx)
    if ((await countOwners(tx, accountId)) === 0) throw new DocentError('last_owner')
    return answer
  })

/** The open invitation with this token. Guesses count like failed sign-ins from the network. */
async function readToken(deps: OperationDeps, visitor: Visitor | undefined, token: string): Promise<InvitationRow> {
  const network = visitor?.address ?? 'program'
  await enforceRateLimit(deps, { key: 'invitation from:', network, ...SIGN_IN_LIMITS.address })
  return found(await findInvitation(deps.store.read, { hash: hashSecret(token) }, deps.clock()), 'invitation_not_found')
}

type Proof = { browser: Visitor; password: string | undefined; by: Parameters<typeof verifySignIn>[2] }

/** The person, by the password, or by the session of this browser. Null for anybody else. */
async function verifyKnown(deps: OperationDeps, { id, email }: Person, { browser, password, by }: Proof) {
  if (password !== undefined) return verifySignIn(deps, { email, password }, by)
  if (browser.sessionSecret === null || browser.sender !== 'own') return null
  const session = await findSession(deps.store.read, browser.sessionSecret, deps.clock())
  return session?.personId === id ? findPerson(deps.store.read, id) : null
}

async function personWith(email: string, password: string | undefined, now: number): Promise<Person> {
  if (password === undefined || [...password].length < PASSWORD.min) throw new DocentError('password_too_short')
  const passwordHash = await hashNewPassword(password)
  return newPerson({ email, passwordHash, confirmedAt: null, now })
}
