import { SIGN_IN_LIMITS } from '@docent/contract/operations/sessions'
import { SIGN_UP_LIMIT } from '@docent/contract/operations/setup'
import type { Actor } from '#auth/authenticate.ts'
import { claimSetupLink, createAccount } from '#auth/accounts.ts'
import { NOBODYS_HASH } from '#auth/password.ts'
import { hashSecret } from '#auth/secret.ts'
import { LONGEST_SESSION_MS, authenticateSession, endOf, livingAt, openSession } from '#auth/sessions.ts'
import { DocentError, found, tooManyRequests } from '#errors.ts'
import { isoTimes } from '#lib/clock.ts'
import { docentCommand } from '#lib/place.ts'
import { LimiterFullError } from '#lib/limits/fair-limiter.ts'
import { anyAccount, findAccount, findAccountByEmail } from '#store/accounts/accounts.ts'
import { type SessionRow, deleteSessions, listSessionRows, moveSession } from '#store/accounts/keys.ts'
import { type Person, accountsOf, findPerson, findPersonByEmail, updatePerson } from '#store/accounts/people.ts'
import { countFailedSignIns, hasSignedInFrom, insertAuditEntry } from '#store/accounts/audit.ts'
import type { Db } from '#store/db.ts'
import { sessionHolder } from '../find-resource.ts'
import type { HandlersOf, OperationDeps, Visitor } from '../operation.ts'
import { type Window, enforceRateLimit, giveBack } from '../rate-limits.ts'

export const sessionHandlers: HandlersOf<'sessions' | 'setup'> = {
  'sessions.create': async ({ deps, visitor, signal }, { email, password }) => {
    const browser = requireBrowser(visitor)
    const sent = { email: email.toLowerCase(), password }
    const person = found(await verifySignIn(deps, sent, { network: browser.address, signal }), 'sign_in_failed')
    return openVisitorSession(deps, browser, person.id, await firstAccountOf(deps, person))
  },

  'sessions.list': async ({ deps, actor }) => {
    await deps.flushUses()
    const { read } = deps.store
    const { kind, id } = actor.credential
    const sessions = await listSessionRows(read, sessionHolder(actor), livingAt(deps.clock()))
    const current = kind === 'session' ? id : null
    const account = await presentAccount(read, actor)
    return { account, sessions: sessions.map((session) => presentSession(session, current)) }
  },

  'sessions.end': async ({ deps, actor, visitor, session }, { all }) => {
    const { kind, id } = actor.credential
    const own = kind === 'session' ? id : undefined
    const meant = all ? null : (session?.id ?? own)
    if (meant === undefined) throw new DocentError('session_id_required')
    const ended = await deps.store.transaction((tx) => deleteSessions(tx, sessionHolder(actor), meant))
    if (own !== undefined && (meant === null || meant === own)) visitor?.forgetSession()
    return { ok: true, ended }
  },

  'sessions.switch': async ({ deps, actor: { credential, personId } }, { accountId }) => {
    const own = personId === null ? [] : await accountsOf(deps.store.read, personId)
    const account = found(
      own.find(({ id }) => id === accountId),
      'account_not_found',
    )
    await deps.store.transaction(async (tx) => {
      await moveSession(tx, credential.id, account.id)
      await updatePerson(tx, personId ?? '', { lastAccountId: account.id })
    })
    return { ok: true }
  },

  'setup.get': async ({ deps }) => {
    const { signUps, passwordSignIn: passwords } = deps.config
    const providers = [...deps.signInProviders.values()].map(({ settings: { id, name } }) => ({ id, name }))

    return { open: !(await anyAccount(deps.store.read)), signUps, passwords, command: docentCommand(), providers }
  },

  'setup.claim': async ({ deps, visitor }, { token, email, password }) => {
    const browser = requireBrowser(visitor)
    const account = await claimSetupLink(deps.store, { token, email, password })
    return openVisitorSession(deps, browser, account.personId, account.id)
  },

  'setup.signUp': async ({ deps, visitor }, { email, password }) => {
    const browser = requireBrowser(visitor)
    if (!deps.config.signUps) throw new DocentError('sign_ups_off')
    requirePasswords(deps)
    await enforceRateLimit(deps, { key: 'sign-up from:', network: browser.address, ...SIGN_UP_LIMIT })
    const account = await createAccount(deps.store, {
      email,
      password,
      plan: deps.config.defaultPlan,
      async admit(tx) {
        // The first account is the operator's, so it needs the setup link.
        if (!(await anyAccount(tx))) throw new DocentError('sign_ups_off')
        const isTaken = (await findAccountByEmail(tx, email)) ?? (await findPersonByEmail(tx, email))
        if (isTaken) throw new DocentError('email_taken')
      },
    })
    return openVisitorSession(deps, browser, account.personId, account.id)
  },
}

/** The person of a session; with a key, the account, which has the address of its first owner. */
export async function signedInAs(db: Db, { personId, accountId }: Actor): Promise<{ email: string }> {
  return found(personId ? await findPerson(db, personId) : await findAccount(db, accountId), 'unauthorized')
}

/** The account in which a new session begins: the last one, or the oldest. Throws `403 not_permitted` without any. */
export async function firstAccountOf({ store }: OperationDeps, { id, lastAccountId }: Person) {
  const own = await accountsOf(store.read, id)
  const account = own.find((each) => each.id === lastAccountId) ?? own[0]
  const text = 'You are a member of no account here that is switched on. Ask an owner of one for an invitation.'
  if (!account) throw new DocentError('not_permitted', { text })
  return account.id
}

/** The account of a caller, as the caller sees it. */
async function presentAccount(db: Db, actor: Actor) {
  const { accountId, personId, role, isOperator, serverIds } = actor
  const account = found(await findAccount(db, accountId), 'unauthorized')
  const { email } = await signedInAs(db, actor)
  const accounts = personId === null ? [] : await accountsOf(db, personId)
  return { ...account, email, role, isOperator, serverIds: serverIds && [...serverIds], accounts }
}

/** The browser to sign in. Throws `403 origin_not_allowed` for a page of another site (login CSRF). */
export function requireBrowser(visitor: Visitor | undefined): Visitor {
  if (!visitor) throw new Error('This entry point has no browser to sign in')
  if (visitor.sender === 'foreign') throw new DocentError('origin_not_allowed')
  return visitor
}

/** Signs the visitor's browser in to an account of the person. The caller has checked who it is. */
export async function openVisitorSession(
  { store, clock }: OperationDeps,
  visitor: Visitor,
  personId: string,
  accountId: string,
  details: string | null = null,
) {
  const { userAgent } = visitor
  const failedSignIns = await countFailedSignIns(store.read, accountId, personId)
  const opening = { accountId, personId, userAgent, now: clock() }
  const member = { accountId, personId, at: opening.now, details }
  const { secret, session } = await openSession(store, opening, (tx, id) =>
    recordSignIn(tx, member, visitor.address, id),
  )
  visitor.keepSession(secret, LONGEST_SESSION_MS)
  const account = await presentAccount(store.read, await authenticateSession(store.read, secret, clock()))
  return { session: presentSession(session, session.id), account, failedSignIns }
}

function presentSession(session: SessionRow, currentId: string | null) {
  return isoTimes({ ...session, expiresAt: endOf(session), current: session.id === currentId })
}

/** Estimated seconds to finish a network's waiting checks on a loaded machine. */
const RETRY_AFTER_S = 5

type Sent = { email: string; password: string }
type By = { network: string; signal: AbortSignal }

/** Throws `403 password_sign_in_off` if the operator switched passwords off. */
export function requirePasswords({ config }: OperationDeps): void {
  if (!config.passwordSignIn) throw new DocentError('password_sign_in_off')
}

/** The person with this password, or null. Failures count: throws `429 too_many_requests`. */
export async function verifySignIn(deps: OperationDeps, sent: Sent, by: By): Promise<Person | null> {
  requirePasswords(deps)
  const windows = signInWindows(by.network, sent.email)
  // Counted before the password check, so that concurrent guesses are limited too.
  await takeAll(deps, windows)
  windows.push(...(await takeOfAccount(deps, sent, by, windows)))
  const person = await findByPassword(deps, sent, by)
  if (person) for (const window of windows) await giveBack(deps, window)
  return person
}

/** Takes one attempt from every window, or none. Throws `429 too_many_requests`. */
async function takeAll(deps: OperationDeps, windows: readonly Window[]): Promise<void> {
  const taken: Window[] = []
  try {
    for (const window of windows) {
      await enforceRateLimit(deps, window)
      taken.push(window)
    }
  } catch (error) {
    for (const window of taken) await giveBack(deps, window)
    throw error
  }
}

/**
 * Takes one attempt on the account from all networks together, so that guesses from many addresses are slow. The person
 * still gets in from a network where they have signed in before.
 */
async function takeOfAccount(deps: OperationDeps, { email }: Sent, { network }: By, taken: readonly Window[]) {
  const window = accountWindow(email)
  try {
    await enforceRateLimit(deps, window)
    return [window]
  } catch (error) {
    const person = await findPersonByEmail(deps.store.read, email)
    if (person && (await hasSignedInFrom(deps.store.read, person, network))) return []
    for (const each of taken) await giveBack(deps, each)
    throw error
  }
}

/** Records a sign-in; without a session, one that failed. */
const recordSignIn = (
  db: Db,
  member: { accountId: string; personId: string; at: number; details: string | null },
  address: string,
  sessionId: string | null,
) =>
  insertAuditEntry(db, {
    ...member,
    action: sessionId === null ? 'sessions.failed' : 'sessions.create',
    credential: sessionId === null ? 'password' : 'session',
    credentialId: sessionId,
    address,
    thing: null,
    thingId: null,
  })

/** A wrong password, a person without one and an unknown person all take the same time. */
async function findByPassword({ store, checkPassword }: OperationDeps, { email, password }: Sent, by: By) {
  const person = await findPersonByEmail(store.read, email)
  try {
    const isRight = await checkPassword(password, person?.passwordHash ?? NOBODYS_HASH, by)
    if (person && isRight) return person
    const accountId = person?.lastAccountId
    // Strangers cannot fill the log: the limits of failed sign-ins come before.
    if (person && accountId)
      await recordSignIn(
        store.write,
        { accountId, personId: person.id, at: store.clock(), details: null },
        by.network,
        null,
      )
    return null
  } catch (error) {
    if (error instanceof LimiterFullError) throw tooManyRequests(RETRY_AFTER_S)
    throw error
  }
}

/** Window of failed sign-ins to an account from all networks. */
export const accountWindow = (email: string): Window => ({
  key: `sign-in to:${hashSecret(email)}`,
  ...SIGN_IN_LIMITS.account,
})

/** Windows of failed sign-ins. Strangers could fill one of the account alone, and lock its owner out. */
export function signInWindows(network: string, email: string): Window[] {
  return [
    { key: 'sign-in from:', network, ...SIGN_IN_LIMITS.address },
    { key: `sign-in to:${hashSecret(email)} from:`, network, ...SIGN_IN_LIMITS.accountFromAddress },
  ]
}
