import { createHash, createHmac } from 'node:crypto'
import { LINK_MINUTES } from '@docent/contract/operations/linked-accounts'
import { sealTokens } from '#auth/linked-tokens.ts'
import { hashSecret } from '#auth/secret.ts'
import { DocentError, found } from '#errors.ts'
import { isoTime } from '#lib/clock.ts'
import { newId, randomText } from '#lib/ids.ts'
import {
  type LinkedAccount,
  deleteLinkedAccount,
  findLinkedAccount,
  insertLinkAttempt,
  insertLinkedAccount,
  takeLinkAttempt,
} from '#store/accounts/linked-accounts.ts'
import { lockAccount } from '#store/servers/servers.ts'
import { kindOfHost, lookUpOwner } from '#upstream/code-host.ts'
import type { HostApp, HostTokens } from '#upstream/host-app.ts'
import { UpstreamError } from '#upstream/upstream-error.ts'
import type { HandlersOf, OperationDeps } from '../operation.ts'

/** 190 bits cannot be guessed, so a fast hash suffices. */
const STATE_LENGTH = 32

export const linkedAccountHandlers: HandlersOf<'linkedAccounts'> = {
  'linkedAccounts.get': async ({ deps, actor, codeHost }) =>
    presentLinked(deps, codeHost, await findLinkedAccount(deps.store.read, actor.accountId, codeHost)),

  'linkedAccounts.link': async ({ deps, actor, codeHost: host }, { token }) => {
    if (!(await deps.vault.isAvailable(deps.store.read))) throw new DocentError('credentials_unavailable')
    const tokens = { token, refreshToken: null, lifetimeMs: null }
    return saveLink(deps, { accountId: actor.accountId, host, via: 'token', tokens })
  },

  'linkedAccounts.unlink': async ({ deps, actor, codeHost }) => {
    const removed = await deps.store.transaction((tx) => deleteLinkedAccount(tx, actor.accountId, codeHost))
    return { ok: true, removed }
  },

  'linkedAccounts.start': async ({ deps, actor, codeHost: host }) => {
    const app = await openApp(deps, host)
    const { accountId, credential } = actor
    const state = randomText(STATE_LENGTH)
    const now = deps.clock()
    const expiresAt = now + LINK_MINUTES * 60_000
    const attempt = { stateHash: hashSecret(state), accountId, credentialId: credential.id, host, expiresAt }
    await deps.store.transaction((tx) => insertLinkAttempt(tx, attempt, now))
    const challenge = createHash('sha256').update(verifierOf(credential.secret, state)).digest('base64url')
    const authorizeUrl = app.authorizeUrl({ redirectUri: redirectUriOf(deps, host), state, challenge })
    return { authorizeUrl, expiresAt: isoTime(expiresAt) }
  },

  'linkedAccounts.finish': async ({ deps, actor, codeHost: host }, { state, code, error }) => {
    const app = await openApp(deps, host)
    const { accountId, credential } = actor
    const attempt = { stateHash: hashSecret(state), accountId, credentialId: credential.id, host, now: deps.clock() }
    if (!(await takeLinkAttempt(deps.store.write, attempt))) throw new DocentError('link_attempt_unknown')
    if (code === undefined) throw refusal(error)
    const request = { code, verifier: verifierOf(credential.secret, state), redirectUri: redirectUriOf(deps, host) }
    const tokens = await orRejection(() => app.exchange(request))
    return saveLink(deps, { accountId, host, via: 'app', tokens })
  },
}

/** RFC 6749, section 4.1.2.1. Anyone can forge the description, so only the code is repeated. */
function refusal(error: string | undefined): DocentError {
  const why = error && /^[a-z_]{1,60}$/.test(error) ? ` (${error})` : ''
  const text = `The code host did not give access${why}. Nothing was linked.`
  return new DocentError('credential_rejected', { text })
}

/** The instance's app at a code host, if its tokens can be stored. Throws the 503 that explains why not. */
async function openApp({ store, vault, hostApps }: OperationDeps, host: string): Promise<HostApp> {
  const app = found(hostApps.get(host), 'link_not_configured')
  if (!(await vault.isAvailable(store.read))) throw new DocentError('credentials_unavailable')
  return app
}

const redirectUriOf = ({ baseUrl }: OperationDeps, host: string): string => `${baseUrl()}/oauth/${host}/callback`

/** The code verifier of RFC 7636, 43 characters. Derived, so that it is neither stored nor in a URL. */
const verifierOf = (credentialSecret: string, state: string): string =>
  createHmac('sha256', credentialSecret).update(`docent code verifier ${state}`).digest('base64url')

type Link = { accountId: string; host: string; via: 'token' | 'app'; tokens: HostTokens }

/**
 * Verifies a token by requesting its owner, and saves it in place of an earlier one. Throws `422 credential_rejected`, or
 * `host_unavailable`.
 */
async function saveLink(deps: OperationDeps, { accountId, host, via, tokens }: Link) {
  const { store, net, config } = deps
  const { githubApiUrl } = config
  const asked = { host, kind: kindOfHost(host, githubApiUrl), token: tokens.token }
  const { kind, login } = await orRejection(() => lookUpOwner({ net, githubApiUrl }, asked))
  const id = newId('lnk')
  const account = { id, accountId, host, kind, via, login: login ?? '', linkedAt: deps.clock() }
  const sealed = await sealTokens(deps, id, tokens)
  await store.transaction(async (tx) => {
    await lockAccount(tx, accountId)
    await deleteLinkedAccount(tx, accountId, host)
    await insertLinkedAccount(tx, { ...account, ...sealed })
  })
  return presentLinked(deps, host, account)
}

/** Converts a code host's refusal of a token or code, or its silence, to the caller's error. Any other error is our own. */
async function orRejection<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (cause) {
    if (!(cause instanceof UpstreamError)) throw cause
    throw untestedError(cause, 'token')
  }
}

/** The error for a secret that its host refused, or that could not be tested because the host gave no answer. */
export function untestedError(cause: UpstreamError, secret: 'credential' | 'token'): DocentError {
  const text = `${cause.message} The ${secret} has not been saved.`
  return new DocentError(cause.reason === 'refused' ? 'credential_rejected' : 'host_unavailable', { text, cause })
}

type Shown = Pick<LinkedAccount, 'login' | 'linkedAt' | 'via'>

function presentLinked({ hostApps }: OperationDeps, host: string, account: Shown | undefined) {
  const appAvailable = hostApps.has(host)
  if (!account) return { host, linked: false, login: null, linkedAt: null, via: null, appAvailable }
  const { login, linkedAt, via } = account
  return { host, linked: true, login: login || null, linkedAt: isoTime(linkedAt), via, appAvailable }
}
