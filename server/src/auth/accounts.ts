import type { PlanName } from '@docent/contract/operations/purchases'
import { PASSWORD, SETUP_LINK_MINUTES } from '@docent/contract/operations/setup'
import { newId } from '#lib/ids.ts'
import {
  anyAccount,
  findAccountByEmail,
  insertAccount,
  setPlan,
  hasSetupLink,
  insertSetupLink,
  takeSetupLinks,
} from '#store/accounts/accounts.ts'
import { type Person, findPersonByEmail, insertMember, insertPerson, updatePerson } from '#store/accounts/people.ts'
import { insertApiKey } from '#store/accounts/keys.ts'
import type { Db, Store } from '#store/db.ts'
import { findAnyServer, serverIdsOf } from '#store/servers/servers.ts'
import { addSourceCredits } from '#store/accounts/purchases.ts'
import { DocentError } from '#errors.ts'
import { isCommonPassword } from './common-passwords.ts'
import { hashPassword } from './password.ts'
import { newSecret, hashSecret, isWellFormed } from './secret.ts'

/** An account command that failed. The message is a sentence for the operator. */
export class AccountError extends Error {
  override name = 'AccountError'
}

/** Trial period, in which a new account has the request log and the larger source limit. */
const TRIAL_MS = 14 * 24 * 60 * 60 * 1000

type NewAccount = {
  email: string
  password: string | null
  plan: PlanName
  /** True if the operator vouches for the address. */
  isConfirmed?: boolean
  /** Runs first in the transaction. If it throws, no account is created. */
  admit?: (tx: Db) => Promise<void>
}

/** Creates an account and its owner, the first account as operator. Throws `AccountError` for an unusable address or password. */
export async function createAccount(store: Store, { email, password, plan, isConfirmed = false, admit }: NewAccount) {
  const address = email.trim().toLowerCase()
  if (!/^[^\s@]+@[^\s@]+$/.test(address)) throw new AccountError(`This is not an email address: ${email}`)
  const passwordHash = password === null ? null : await hashNewPassword(password)
  const now = store.clock()
  return await store.transaction(async (tx) => {
    await admit?.(tx)
    if ((await findAccountByEmail(tx, address)) ?? (await findPersonByEmail(tx, address)))
      throw new AccountError(`There is an account for ${address} already.`)
    const account = await openAccount(tx, { email: address, plan, now })
    const { id, isOperator } = account
    const confirmedAt = isOperator === 1 || isConfirmed ? now : null
    const person = newPerson({ email: address, passwordHash, confirmedAt, now })
    await insertPerson(tx, { ...person, lastAccountId: id })
    await insertMember(tx, { accountId: id, personId: person.id, role: 'owner', serverIds: null, createdAt: now })
    return { ...account, personId: person.id }
  })
}

/** A person without an account, to be stored. */
export function newPerson({
  email,
  now,
  ...login
}: Pick<Person, 'email' | 'passwordHash' | 'confirmedAt'> & { now: number }): Person {
  const name = email.split('@')[0] ?? email
  return { id: newId('per'), email: email.toLowerCase(), name, ...login, lastAccountId: null, createdAt: now }
}

/** Stores an account without members. The first one operates the instance. */
export async function openAccount(tx: Db, { email, plan, now }: { email: string; plan: PlanName; now: number }) {
  const isOperator = !(await anyAccount(tx))
  const account = {
    id: newId('acc'),
    email,
    name: email.split('@')[0] ?? email,
    plan: isOperator ? 'unlimited' : plan,
    isOperator: isOperator ? 1 : 0,
    trialEndsAt: isOperator ? null : now + TRIAL_MS,
    createdAt: now,
  }
  await insertAccount(tx, account)
  return account
}

/** Sets a new password. Throws as `hashNewPassword`. Sessions stay open; the caller ends those that should end. */
export async function setPassword(store: Store, { email, password }: { email: string; password: string }) {
  const person = await findPersonByEmail(store.read, email)
  if (!person) throw new AccountError(`There is no account for ${email}.`)
  await updatePerson(store.write, person.id, { passwordHash: await hashNewPassword(password) })
  return person
}

/** Throws `AccountError` for a short password, and `400 password_common` for one that is guessed first. */
export async function hashNewPassword(password: string): Promise<string> {
  if ([...password].length < PASSWORD.min) {
    throw new AccountError(`The password must have at least ${PASSWORD.min} characters.`)
  }
  if (isCommonPassword(password)) throw new DocentError('password_common')
  return hashPassword(password)
}

type NewKey = { email: string; name: string; serverIds?: string[]; forAssistant?: boolean }

/** Creates an API key for the account or some of its servers. Returns the plaintext, which is shown only once. */
export async function createKey(
  store: Store,
  { email, name, serverIds, forAssistant = false }: NewKey,
): Promise<string> {
  const account = await findAccountByEmail(store.read, email)
  if (!account) throw new AccountError(`There is no account for ${email}. Make one with: docent admin create`)
  if (serverIds) {
    const own = new Set(await serverIdsOf(store.read, account.id))
    const unknown = serverIds.filter((id) => !own.has(id))
    if (unknown.length > 0) throw new AccountError(`The account has no server with this id: ${unknown.join(', ')}`)
  }
  const { plaintext, hash, last4 } = newSecret('dk_live_')
  const scope = serverIds ? JSON.stringify(serverIds) : null
  const key = { id: newId('key'), accountId: account.id, name, hash, last4, serverIds: scope }
  const unused = { lastUsedAt: null, revokedAt: null, scopes: null, personId: null, forAssistant: forAssistant ? 1 : 0 }
  await insertApiKey(store.write, { ...key, ...unused, createdAt: store.clock() })
  return plaintext
}

export async function changePlan(store: Store, { email, plan }: { email: string; plan: PlanName }): Promise<void> {
  const account = await findAccountByEmail(store.read, email)
  if (!account) throw new AccountError(`There is no account for ${email}.`)
  await setPlan(store.write, account.id, plan)
}

/** Grants a server sources beyond its account's plan. Returns the total number of granted sources. */
export async function grantSourceCredits(store: Store, { serverId, credits }: { serverId: string; credits: number }) {
  const server = await findAnyServer(store.read, serverId)
  if (!server) throw new AccountError(`There is no server with this id: ${serverId}`)
  return addSourceCredits(store.write, server.id, credits, store.clock())
}

/** Creates the operator's account if there is none. True if it did. Throws `AccountError` like `createAccount`. */
export async function ensureOperator(store: Store, { email, password }: { email: string; password: string }) {
  if (await anyAccount(store.read)) return false
  try {
    await createAccount(store, { email, password, plan: 'unlimited' })
    return true
  } catch (error) {
    // Another node with the same settings created it first.
    if (await anyAccount(store.read)) return false
    throw error
  }
}

const LIFETIME_MS = SETUP_LINK_MINUTES * 60_000

/** The address of a page that creates the first account, or null if there is one. Proxies do not log its fragment. */
export async function createSetupLink(store: Store, baseUrl: string): Promise<string | null> {
  if (await anyAccount(store.read)) return null
  const { plaintext, hash } = newSecret('dsl_')
  const now = store.clock()
  await insertSetupLink(store.write, { hash, createdAt: now }, now - LIFETIME_MS)
  return `${baseUrl}/setup#${plaintext}`
}

type Claim = { token: string; email: string; password: string }

/** Creates the first account with a setup link. Throws `404 not_found` if there is one, or `403 setup_link_unknown`. */
export async function claimSetupLink(store: Store, { token, email, password }: Claim) {
  if (await anyAccount(store.read)) throw new DocentError('not_found')
  const hash = hashSecret(token)
  const isKnown = isWellFormed('dsl_', token) && (await hasSetupLink(store.read, hash, store.clock() - LIFETIME_MS))
  if (!isKnown) throw new DocentError('setup_link_unknown')
  return createAccount(store, {
    email,
    password,
    plan: 'unlimited',
    // Links are taken all at once, so that two of them cannot create two accounts.
    async admit(tx) {
      const taken = await takeSetupLinks(tx)
      if (!taken.includes(hash) || (await anyAccount(tx))) throw new DocentError('not_found')
    },
  })
}
