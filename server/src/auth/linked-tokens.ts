import { setTimeout as sleep } from 'node:timers/promises'
import type { Store } from '#store/db.ts'
import {
  type LinkedAccount,
  claimRefresh,
  findAccountOfPrivateSource,
  readLinkedAccount,
  releaseRefresh,
  saveNextToken,
} from '#store/linked-accounts.ts'
import type { Vault } from './vault.ts'

/** What a code host hands out; `lifetimeMs` is null for a token that does not expire. */
type Tokens = { token: string; refreshToken: string | null; lifetimeMs: number | null }

type Deps = {
  store: Store
  vault: Vault
  /** Has the next token from a host, for the refresh token of the one before. Throws what the host's client throws. */
  refresh: (host: string, refreshToken: string) => Promise<Tokens>
}

export type LinkedTokens = {
  /** The account's token, a new one where it would expire. Throws `503 credentials_unavailable` and what `refresh` throws. */
  tokenOf(account: LinkedAccount): Promise<string>
  /** The token with which a private source is read, or null to ask as anybody. Throws the same. */
  tokenOfSource(sourceId: string, host: string): Promise<string | null>
}

/** A token is not used any more when it has less to live: what is read with it takes its time. */
const MARGIN_MS = 10 * 60 * 1000
/** Having the next token takes a node no longer; after that another one tries. */
const REFRESH_MS = 30_000
const POLL_MS = 250

/** Encrypts what a host has handed out, for the row of this id. Throws `503 credentials_unavailable`. */
export async function sealTokens(
  { store, vault }: Pick<Deps, 'store' | 'vault'>,
  id: string,
  { token, refreshToken, lifetimeMs }: Tokens,
) {
  return {
    sealed: await vault.seal(store.read, token, { table: 'linkedAccounts', id }),
    sealedRefresh:
      refreshToken === null
        ? null
        : await vault.seal(store.read, refreshToken, { table: 'linkedAccountRefreshes', id }),
    expiresAt: lifetimeMs === null ? null : store.clock() + lifetimeMs,
  }
}

export function createLinkedTokens({ store, vault, refresh }: Deps): LinkedTokens {
  const isFresh = ({ expiresAt, sealedRefresh }: LinkedAccount) =>
    expiresAt === null || sealedRefresh === null || expiresAt - MARGIN_MS > store.clock()
  const open = ({ id, sealed }: LinkedAccount) => vault.unseal(sealed, { table: 'linkedAccounts', id })

  /** A refresh token is good once: of all nodes one has the next token, and the others wait for it. */
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
      // Whoever held the claim before may have been just done.
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
    // A host that does not say another one goes on with the same.
    const kept = { ...next, refreshToken: next.refreshToken ?? refreshToken }
    await saveNextToken(store.write, id, await sealTokens({ store, vault }, id, kept))
    return next.token
  }

  return {
    tokenOf,
    async tokenOfSource(sourceId, host) {
      const account = await findAccountOfPrivateSource(store.read, sourceId, host)
      return account ? tokenOf(account) : null
    },
  }
}
