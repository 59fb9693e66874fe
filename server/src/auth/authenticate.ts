import type { KeyScope, Role } from '@docent/contract/values/permissions'
import type { OAuthScope } from '@docent/contract/values/scopes'
import { findConnected, findOAuthAccess } from '#store/accounts/grants.ts'
import { findApiKey, findAccessToken, touchCredentials } from '#store/accounts/keys.ts'
import type { Db, Store } from '#store/db.ts'
import { lastKnown } from '#store/engine/outages.ts'
import { touchServers } from '#store/servers/servers.ts'
import type { Clock } from '#lib/clock.ts'
import { hashSecret, isWellFormed, sameHash } from './secret.ts'

/** The caller: the account behind a valid key, session or client secret, and the servers it may see. */
export type Actor = {
  accountId: string
  /** The presented credential. The secret is never stored. */
  credential: { kind: 'key' | 'connection' | 'session' | 'client'; id: string; secret: string }
  plan: string
  trialEndsAt: number | null
  /** True for owners of the operator's account. */
  isOperator: boolean
  /** Servers visible to a scoped key or to a member. Null for the whole account. */
  serverIds: ReadonlySet<string> | null
  /** The member behind a session or connection. Null for a key, which belongs to the account. */
  personId: string | null
  role: Role
  /** What a key or connection may do. Null: everything. */
  scopes: ReadonlySet<KeyScope> | null
  /** Requests that publish, delete or issue need an approval. */
  asksApproval: boolean
}

export type FindKey = (hash: string) => ReturnType<typeof findApiKey>

const KEYS = 10_000

/** Looks up keys in the database. During an outage, falls back to recently found keys. */
export function keyLookup(db: Db): FindKey {
  return lastKnown((hash) => findApiKey(db, hash), { entries: KEYS })
}

/** The caller behind a live key in an `Authorization` header, or null. */
export function findKeyHolder(db: Db, authorization: string | null): Promise<Actor | null> {
  return actorOf((hash) => findApiKey(db, hash), bearer(authorization))
}

/** The caller behind a presented credential. Null if it is no valid API key. */
export async function actorOf(findKey: FindKey, presented: string | null): Promise<Actor | null> {
  if (!presented || !isWellFormed('dk_live_', presented)) return null
  const hash = hashSecret(presented)
  const key = await findKey(hash)
  if (!key || !sameHash(key.hash, hash)) return null
  return actorFrom(key, 'key', presented)
}

/** The caller behind a presented access token for the endpoint of an account. Null if it is none. */
export async function connectedActor(db: Db, presented: string | null, now: number): Promise<Actor | null> {
  if (!presented || !isWellFormed('dot_', presented)) return null
  const hash = hashSecret(presented)
  const found = await findConnected(db, hash, now)
  if (!found || !sameHash(found.hash, hash)) return null
  const { scope, ...row } = found
  return actorFrom({ ...row, scopes: JSON.stringify(scope.split(' ')), forAssistant: 1 }, 'connection', presented)
}

type Credential = { id: string; accountId: string; plan: string; trialEndsAt: number | null; isOperator: number }
/** `serverIds` and `scopes` are JSON. */
type Limits = {
  serverIds?: string | null
  scopes?: string | null
  role?: Role
  personId?: string | null
  forAssistant?: number
  asksApproval?: number
}

/** The caller of a verified credential. One without a member has the rights of an owner. */
export function actorFrom(
  { id, accountId, plan, trialEndsAt, isOperator, ...limits }: Credential & Limits,
  kind: Actor['credential']['kind'],
  secret: string,
): Actor {
  const { serverIds, scopes, role = 'owner', personId = null } = limits
  return {
    accountId,
    plan,
    trialEndsAt,
    role,
    personId,
    credential: { kind, id, secret },
    isOperator: isOperator === 1 && role === 'owner',
    serverIds: setOf<string>(serverIds),
    scopes: setOf<KeyScope>(scopes),
    asksApproval: limits.forAssistant === 1 || limits.asksApproval === 1,
  }
}

const setOf = <T>(json: string | null | undefined): ReadonlySet<T> | null =>
  json === null || json === undefined ? null : new Set(JSON.parse(json) as T[])

/** Extracts the credential from a `Bearer` header, or null. */
export function bearer(authorization: string | null | undefined): string | null {
  return /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? null
}

/** `scope`: what a client may do that got the token by OAuth. Null for a token that the owner gave to somebody. */
type AccessToken = { id: string; hash: string; scope: string | null }

type TokenDeps = {
  findToken: (serverId: string, hash: string, by: 'token' | 'connection') => Promise<AccessToken | undefined>
  noteUse: (kind: 'token' | 'connection', id: string) => void
}

const TOKENS = 10_000

/** Looks up tokens in the database. During an outage, falls back to recently found tokens. */
export function tokenLookup(db: Db, clock: Clock): TokenDeps['findToken'] {
  const load = async (key: string) => {
    const [serverId = '', hash = '', by] = key.split(' ')
    if (by === 'connection') return findOAuthAccess(db, serverId, hash, clock())
    const token = await findAccessToken(db, serverId, hash)
    return token && { ...token, scope: null }
  }
  const find = lastKnown(load, { entries: TOKENS })
  return (serverId, hash, by) => find(`${serverId} ${hash} ${by}`)
}

/**
 * Checks access to a private server. `presented` is the bearer token of the request, or null. `read` is the access of a
 * client that may not call tools.
 */
export async function verifyAccessToken({ findToken, noteUse }: TokenDeps, serverId: string, presented: string | null) {
  if (!presented) return 'missing_token'
  const by = isWellFormed('dot_', presented) ? 'connection' : 'token'
  if (by === 'token' && !isWellFormed('dat_', presented)) return 'invalid_token'
  const hash = hashSecret(presented)
  const token = await findToken(serverId, hash, by)
  if (!token || !sameHash(token.hash, hash)) return 'invalid_token'
  noteUse(by, token.id)
  return token.scope === null || token.scope.split(' ').includes('ask' satisfies OAuthScope) ? 'ok' : 'read'
}

/** True for a credential of the server's account: an access token of the server, or an API key that may ask it. */
export async function isCredential(
  deps: TokenDeps & { findKey: FindKey },
  { id, accountId }: { id: string; accountId: string },
  presented: string | null,
): Promise<boolean> {
  const holder = await actorOf(deps.findKey, presented)
  if (!holder) return (await verifyAccessToken(deps, id, presented)) === 'ok'
  const { serverIds, scopes } = holder
  return holder.accountId === accountId && (serverIds?.has(id) ?? true) && (scopes?.has('ask') ?? true)
}

/** Write interval of last-used times. A write per request would cost more than many requests. */
const FLUSH_MS = 30_000
/** For a first use in this process, and for connections: somebody may be waiting to see it. */
const SOON_MS = 1_000
/** First uses that are remembered. */
const SEEN = 10_000

const WRITE = {
  key: (db: Db, used: ReadonlyMap<string, number>) => touchCredentials(db, 'apiKeys', used),
  token: (db: Db, used: ReadonlyMap<string, number>) => touchCredentials(db, 'accessTokens', used),
  session: (db: Db, used: ReadonlyMap<string, number>) => touchCredentials(db, 'sessions', used),
  connection: (db: Db, used: ReadonlyMap<string, number>) => touchCredentials(db, 'oauthGrants', used),
  /** A client that connected to a server. */
  server: touchServers,
}
type Kind = keyof typeof WRITE
const KINDS = ['key', 'token', 'session', 'connection', 'server'] as const

type UseDeps = { store: Store; clock: Clock; onError: (error: unknown) => void }

export type CredentialUses = AsyncDisposable & { note(kind: Kind, id: string): void; flush(): Promise<void> }

/**
 * Collects when keys, tokens, sessions, connections and servers were last used. Writes the times periodically, when
 * somebody is about to read them, and on disposal.
 */
export function createCredentialUses({ store, clock, onError }: UseDeps): CredentialUses {
  const uses = Object.fromEntries(KINDS.map((kind) => [kind, new Map<string, number>()])) as Record<
    Kind,
    Map<string, number>
  >
  const seen = new Set<string>()
  let soon: NodeJS.Timeout | undefined
  let last = Promise.resolve()
  // One after the other, so that each ends after all earlier uses are written.
  const flush = () => (last = last.then(write))
  const write = async () => {
    clearTimeout(soon)
    soon = undefined
    for (const kind of KINDS) {
      const used = uses[kind]
      if (used.size === 0) continue
      uses[kind] = new Map()
      try {
        await WRITE[kind](store.write, used)
      } catch (error) {
        // Keep for the next attempt. Later uses take precedence.
        uses[kind] = new Map([...used, ...uses[kind]])
        onError(error)
      }
    }
  }
  const timer = setInterval(() => void flush(), FLUSH_MS)
  timer.unref()
  return {
    note(kind, id) {
      uses[kind].set(id, clock())
      if (kind !== 'server' && seen.has(id)) return
      if (seen.size >= SEEN) seen.clear()
      seen.add(id)
      soon ??= setTimeout(() => void flush(), SOON_MS).unref()
    },
    flush,
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await flush()
    },
  }
}
