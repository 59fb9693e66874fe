import { SIGN_IN_LIMITS } from '@docent/contract/operations/sessions'
import { SIGN_UP_LIMIT } from '@docent/contract/operations/setup'
import { claimSetupLink, createAccount } from '#auth/accounts.ts'
import { NOBODYS_HASH } from '#auth/password.ts'
import { hashSecret } from '#auth/secret.ts'
import { LONGEST_SESSION_MS, endOf, livingAt, openSession } from '#auth/sessions.ts'
import { DocentError, found, tooManyRequests } from '#errors.ts'
import { isoTimes } from '#lib/clock.ts'
import { LimiterFullError } from '#lib/limits/fair-limiter.ts'
import { type Account, anyAccount, findAccount, findAccountByEmail } from '#store/accounts/accounts.ts'
import { type SessionRow, deleteSessions, listSessionRows } from '#store/accounts/keys.ts'
import type { HandlersOf, OperationDeps, Visitor } from '../operation.ts'
import { type Window, enforceRateLimit, giveBack } from '../rate-limits.ts'

export const sessionHandlers: HandlersOf<'sessions' | 'setup'> = {
  'sessions.create': async ({ deps, visitor, signal }, { email, password }) => {
    const browser = requireBrowser(visitor)
    const sent = { email: email.toLowerCase(), password }
    const account = await verifySignIn(deps, sent, { network: browser.address, signal })
    return openVisitorSession(deps, browser, found(account, 'sign_in_failed'))
  },

  'sessions.list': async ({ deps, actor }) => {
    await deps.flushUses()
    const { read } = deps.store
    const account = found(await findAccount(read, actor.accountId), 'unauthorized')
    const { kind, id } = actor.credential
    const sessions = await listSessionRows(read, actor.accountId, livingAt(deps.clock()))
    const current = kind === 'session' ? id : null
    return { account: presentAccount(account), sessions: sessions.map((session) => presentSession(session, current)) }
  },

  'sessions.end': async ({ deps, actor, visitor, session }, { all }) => {
    const { kind, id } = actor.credential
    const own = kind === 'session' ? id : undefined
    const meant = all ? null : (session?.id ?? own)
    if (meant === undefined) throw new DocentError('session_id_required')
    const ended = await deleteSessions(deps.store.write, actor.accountId, meant)
    if (own !== undefined && (meant === null || meant === own)) visitor?.forgetSession()
    return { ok: true, ended }
  },

  'setup.get': async ({ deps }) => {
    return { open: !(await anyAccount(deps.store.read)), signUps: deps.config.signUps }
  },

  'setup.claim': async ({ deps, visitor }, { token, email, password }) => {
    const browser = requireBrowser(visitor)
    return openVisitorSession(deps, browser, await claimSetupLink(deps.store, { token, email, password }))
  },

  'setup.signUp': async ({ deps, visitor }, { email, password }) => {
    const browser = requireBrowser(visitor)
    if (!deps.config.signUps) throw new DocentError('sign_ups_off')
    await enforceRateLimit(deps, { key: `sign-up from:${browser.address}`, ...SIGN_UP_LIMIT })
    const account = await createAccount(deps.store, {
      email,
      password,
      plan: deps.config.defaultPlan,
      async admit(tx) {
        // The first account is the operator's, so it needs the setup link.
        if (!(await anyAccount(tx))) throw new DocentError('sign_ups_off')
        if (await findAccountByEmail(tx, email)) throw new DocentError('email_taken')
      },
    })
    return openVisitorSession(deps, browser, account)
  },
}

/** The browser to sign in. Throws `403 origin_not_allowed` for a page of another site (login CSRF). */
function requireBrowser(visitor: Visitor | undefined): Visitor {
  if (!visitor) throw new Error('This entry point has no browser to sign in')
  if (visitor.sender === 'foreign') throw new DocentError('origin_not_allowed')
  return visitor
}

/** Signs the visitor's browser in. The caller has checked who it is. */
async function openVisitorSession({ store, clock }: OperationDeps, visitor: Visitor, account: Account) {
  const { userAgent } = visitor
  const { secret, session } = await openSession(store, { accountId: account.id, userAgent, now: clock() })
  visitor.keepSession(secret, LONGEST_SESSION_MS)
  return { session: presentSession(session, session.id), account: presentAccount(account) }
}

function presentSession(session: SessionRow, currentId: string | null) {
  return isoTimes({ ...session, expiresAt: endOf(session), current: session.id === currentId })
}

const presentAccount = (account: Account) => ({ ...account, isOperator: account.isOperator === 1 })

/** Estimated seconds to finish a network's waiting checks on a loaded machine. */
const RETRY_AFTER_S = 5

type Sent = { email: string; password: string }
type By = { network: string; signal: AbortSignal }

/** The account with this password, or null. Failures count: throws `429 too_many_requests`. */
export async function verifySignIn(deps: OperationDeps, sent: Sent, by: By): Promise<Account | null> {
  const windows = signInWindows(by.network, sent.email)
  // Counted before the password check, so that concurrent guesses are limited too.
  await takeAll(deps, windows)
  const account = await findByPassword(deps, sent, by)
  if (account) for (const window of windows) await giveBack(deps, window)
  return account
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

/** A wrong password, an account without one and an unknown account all take the same time. */
async function findByPassword({ store, checkPassword }: OperationDeps, { email, password }: Sent, by: By) {
  const account = await findAccountByEmail(store.read, email)
  try {
    const isRight = await checkPassword(password, account?.passwordHash ?? NOBODYS_HASH, by)
    return account && isRight ? account : null
  } catch (error) {
    if (error instanceof LimiterFullError) throw tooManyRequests(RETRY_AFTER_S)
    throw error
  }
}

/** Windows of failed sign-ins. Strangers could fill one of the account alone, and lock its owner out. */
export function signInWindows(from: string, email: string): Window[] {
  return [
    { key: `sign-in from:${from}`, ...SIGN_IN_LIMITS.address },
    { key: `sign-in from:${from} to:${hashSecret(email)}`, ...SIGN_IN_LIMITS.accountFromAddress },
  ]
}
