import { setTimeout as sleep } from 'node:timers/promises'
import type { Store } from '#store/db.ts'
import {
  type LinkedAccount,
  claimRefresh,
  findAccountOfPrivateSource,
  readLinkedAccount,
  releaseRefresh,
  saveNextToken,
} from '#store/accounts/linked-accounts.ts'
import type { Vault } from './vault.ts'

/** Tokens issued by a code host. `lifetimeMs` is null for a token that does not expire. */
type Tokens = { token: string; refreshToken: string | null; lifetimeMs: number | null }

type Deps = {
  store: Store
  vault: Vault
  /** Exchanges a refresh token for new tokens at a host. Throws the errors of the host's client. */
  refresh: (host: string, refreshToken: string) => Promise<Tokens>
}

export type LinkedTokens = ReturnType<typeof createLinkedTokens>

/** Refresh tokens that expire within this time: a fetch can take that long. */
const MARGIN_MS = 10 * 60 * 1000
/** Claim time of a token refresh. After that, another node tries. */
const REFRESH_MS = 30_000
const POLL_MS = 250

/** Encrypts issued tokens for the row with this id. Throws `503 credentials_unavailable`. */
export async function sealTokens(
  { store, vault }: Pick<Deps, 'store' | 'vault'>,
  id: string,
  { token, refreshToken, lifetimeMs }: Tokens,
) {
  const sealRefresh = (text: string) => vault.seal(store.read, text, { table: 'linkedAccountRefreshes', id })
  return {
    sealed: await vault.seal(store.read, token, { table: 'linkedAccounts', id }),
    sealedRefresh: refreshToken === null ? null : await sealRefresh(refreshToken),
    expiresAt: lifetimeMs === null ? null : store.clock() + lifetimeMs,
  }
}

export function createLinkedTokens({ store, vault, refresh }: Deps) {
  const isFresh = ({ expiresAt, sealedRefresh }: LinkedAccount) =>
    expiresAt === null || sealedRefresh === null || expiresAt - MARGIN_MS > store.clock()
  const open = ({ id, sealed }: LinkedAccount) => vault.unseal(sealed, { table: 'linkedAccounts', id })

  /** A refresh token works only once, so one node refreshes and the others wait. */
  const tokenOf = async (account: LinkedAccount): Promise<string> => {
    const { id, sealedRefresh } = account
    if (isFresh(account) || sealedRefresh === null) return open(account)
    const now = store.clock()
    if (!(await claimRefresh(store.write, id, { now, until: now + REFRESH_MS }))) {
      await sleep(POLL_MS)
      const again = await readLinkedAccount(store.read, id)
      return again ? tokenOf(again) : open(account)
    }
    const current = await readLinkedAccount(store.read, id)
    if (!current?.sealedRefresh) return open(current ?? account)
    try {
      // The previous claim holder may have just refreshed it.
      if (isFresh(current)) return open(current)
      return await replace(current, vault.unseal(current.sealedRefresh, { table: 'linkedAccountRefreshes', id }))
    } catch (error) {
      if (current.expiresAt !== null && current.expiresAt > store.clock()) return open(current)
      throw error
    } finally {
      await releaseRefresh(store.write, id)
    }
  }

  const replace = async ({ id, host }: LinkedAccount, refreshToken: string): Promise<string> => {
    const next = await refresh(host, refreshToken)
    // A host that returns no new refresh token keeps the old one valid.
    const kept = { ...next, refreshToken: next.refreshToken ?? refreshToken }
    await saveNextToken(store.write, id, await sealTokens({ store, vault }, id, kept))
    return next.token
  }

  return {
    /** The token, refreshed if it expires soon. Throws `503 credentials_unavailable` and errors of `refresh`. */
    tokenOf,
    /** The token for reading a private source, or null for anonymous access. Throws the same errors. */
    async tokenOfSource(sourceId: string, host: string): Promise<string | null> {
      const account = await findAccountOfPrivateSource(store.read, sourceId, host)
      return account ? tokenOf(account) : null
    },
  }
}
