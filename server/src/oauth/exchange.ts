import { createHash } from 'node:crypto'
import { hashSecret, isWellFormed, newSecret, sameHash, successorOf } from '#auth/secret.ts'
import { randomText } from '#lib/ids.ts'
import { insertAuditEntry } from '#store/accounts/audit.ts'
import type { Db, Store } from '#store/db.ts'
import {
  type Exchangeable,
  findExchangeable,
  findGrantOfToken,
  insertOAuthToken,
  revokeGrant,
  takeOAuthToken,
} from '#store/accounts/grants.ts'
import { thingOf } from './authorize.ts'
import { calledAsIn, resourceOf } from './metadata.ts'
import { OAuthError } from './oauth-error.ts'

const MINUTE_MS = 60_000
export const ACCESS_MS = 60 * MINUTE_MS
/** A connection ends when its client has not refreshed it for this long. */
export const REFRESH_MS = 90 * 24 * 60 * MINUTE_MS
/** Clients refresh from several windows at once. Within this time all get the same successor. */
export const GRACE_MS = MINUTE_MS

export type Exchanging = {
  store: Store
  baseUrl: string
  /** Told of a code or refresh token that came a second time: somebody else may have it. */
  onReplay: (grantId: string, kind: 'code' | 'refresh') => void
}

type Tokens = { access: Secret; refresh: Secret; expiresAt: number }
type Secret = { plaintext: string; hash: string }

export type CodeRequest = {
  code: string
  verifier: string
  clientId: string
  redirectUri: string
  resource: string | null
}

/** Exchanges a code for tokens, once. A second time revokes the connection. Throws `invalid_grant`. */
export async function exchangeCode(by: Exchanging, request: CodeRequest) {
  const { store } = by
  const now = store.clock()
  const row = await findRow(store.read, 'code', request.code)
  const isAsked =
    row.clientId === request.clientId &&
    row.redirectUri === request.redirectUri &&
    sameHash(row.challenge ?? '', createHash('sha256').update(request.verifier).digest('base64url'))
  if (!isAsked)
    throw new OAuthError('invalid_grant', 'The code belongs to another client, redirect address or verifier.')
  refuseOtherResource(by, row, request.resource)
  if (row.usedAt !== null) return refuseReplay(by, row, 'code')
  if (row.expiresAt <= now) throw new OAuthError('invalid_grant', 'The code has expired. Begin anew.')
  const tokens = { access: newSecret('dot_'), refresh: newSecret('dor_'), expiresAt: now + ACCESS_MS }
  const isFirst = await store.transaction(async (tx) => {
    const taken = await takeOAuthToken(tx, row.hash, now, null)
    if (taken) await insertTokens(tx, row.grantId, tokens, now)
    return taken
  })
  return isFirst ? answerOf(by, row, { ...request, tokens, now }) : refuseReplay(by, row, 'code')
}

export type RefreshRequest = { refreshToken: string; clientId: string; resource: string | null }

/**
 * Exchanges a refresh token for new tokens. The same token gets the same successors for a minute, which are not stored:
 * they come from the token and a salt. Later it revokes the connection. Throws `invalid_grant`.
 */
export async function exchangeRefresh(by: Exchanging, request: RefreshRequest) {
  const { store } = by
  const now = store.clock()
  const row = await findRow(store.read, 'refresh', request.refreshToken)
  if (row.clientId !== request.clientId) {
    throw new OAuthError('invalid_grant', 'The refresh token belongs to another client.')
  }
  refuseOtherResource(by, row, request.resource)
  if (row.expiresAt <= now) throw new OAuthError('invalid_grant', 'The connection was not used for long. Begin anew.')
  if (row.usedAt === null) {
    const salt = randomText(30)
    const tokens = successorsOf(request.refreshToken, salt, now)
    const isFirst = await store.transaction(async (tx) => {
      const taken = await takeOAuthToken(tx, row.hash, now, salt)
      if (taken) await insertTokens(tx, row.grantId, tokens, now)
      return taken
    })
    if (isFirst) return answerOf(by, row, { ...request, tokens, now })
  }
  // Another request was first, maybe between the two queries above.
  const used = row.usedAt === null ? await findRow(store.write, 'refresh', request.refreshToken) : row
  if (used.usedAt === null || used.salt === null || used.usedAt + GRACE_MS < now)
    return refuseReplay(by, used, 'refresh')
  const tokens = successorsOf(request.refreshToken, used.salt, used.usedAt)
  return answerOf(by, used, { ...request, tokens, now })
}

/** Ends the connection of a token of any kind (RFC 7009). An unknown token, or that of another client, changes nothing. */
export async function revokeToken(
  { store }: Pick<Exchanging, 'store'>,
  token: string,
  clientId: string,
): Promise<void> {
  const found = await findGrantOfToken(store.read, hashSecret(token))
  if (found?.clientId !== clientId) return
  await store.transaction(async (tx) => {
    if (!(await revokeGrant(tx, found.grantId, store.clock()))) return
    await insertAuditEntry(tx, auditEntry(store, found, 'connections.revokeByClient', null))
  })
}

async function findRow(db: Db, kind: 'code' | 'refresh', presented: string): Promise<Exchangeable> {
  const isWritten = isWellFormed(kind === 'code' ? 'doc_' : 'dor_', presented)
  const row = isWritten ? await findExchangeable(db, kind, hashSecret(presented)) : undefined
  if (row && row.revokedAt === null) return row
  throw new OAuthError(
    'invalid_grant',
    `The ${kind === 'code' ? 'code' : 'refresh token'} is not known, or was revoked.`,
  )
}

function refuseOtherResource({ baseUrl }: Exchanging, row: Exchangeable, resource: string | null): void {
  if (resource === null) return
  const calledAs = calledAsIn(baseUrl, resource)
  if (calledAs === row.slug || calledAs === row.serverId) return
  throw new OAuthError('invalid_target', '`resource` is another address than the one that was allowed.')
}

async function refuseReplay(
  { store, onReplay }: Exchanging,
  row: Exchangeable,
  kind: 'code' | 'refresh',
): Promise<never> {
  const isRevoked = await store.transaction(async (tx) => {
    if (!(await revokeGrant(tx, row.grantId, store.clock()))) return false
    await insertAuditEntry(tx, auditEntry(store, row, 'connections.replay', { kind }))
    return true
  })
  if (isRevoked) onReplay(row.grantId, kind)
  throw new OAuthError('invalid_grant', 'This was exchanged before, so the connection has been revoked. Begin anew.')
}

const auditEntry = (
  { clock }: Pick<Exchanging['store'], 'clock'>,
  { accountId, personId, grantId, serverId }: Pick<Exchangeable, 'accountId' | 'personId' | 'grantId' | 'serverId'>,
  action: string,
  details: object | null,
) => ({
  accountId,
  personId,
  at: clock(),
  action,
  credential: 'connection',
  credentialId: grantId,
  ...thingOf({ accountId, serverId }),
  details: details && JSON.stringify(details),
})

function successorsOf(refreshToken: string, salt: string, usedAt: number): Tokens {
  const [access, refresh] = [successorOf(refreshToken, salt, 'dot_'), successorOf(refreshToken, salt, 'dor_')]
  return { access, refresh, expiresAt: usedAt + ACCESS_MS }
}

async function insertTokens(tx: Db, grantId: string, { access, refresh, expiresAt }: Tokens, now: number) {
  await insertOAuthToken(tx, { hash: access.hash, grantId, kind: 'access', expiresAt })
  await insertOAuthToken(tx, { hash: refresh.hash, grantId, kind: 'refresh', expiresAt: now + REFRESH_MS })
}

type Answer = { resource: string | null; tokens: Tokens; now: number }

/** The answer of the token endpoint. Some clients compare `resource` with what they asked for. */
function answerOf({ baseUrl }: Exchanging, { scope, slug }: Exchangeable, { resource, tokens, now }: Answer) {
  return {
    access_token: tokens.access.plaintext,
    token_type: 'Bearer',
    expires_in: Math.floor((tokens.expiresAt - now) / 1000),
    refresh_token: tokens.refresh.plaintext,
    scope,
    resource: resource ?? resourceOf(baseUrl, slug),
  }
}
