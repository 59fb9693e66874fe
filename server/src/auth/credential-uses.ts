import { touchAccessTokens } from '#store/access-tokens.ts'
import { touchApiKeys } from '#store/api-keys.ts'
import type { Store } from '#store/db.ts'

/** Last-used times are written this often: a write for every request would cost more than many requests. */
const FLUSH_MS = 30_000

export type CredentialUses = AsyncDisposable & { noteKey(id: string): void; noteToken(id: string): void }

/** Remembers when keys and tokens were last used, and writes it from time to time and when it is disposed of. */
export function createCredentialUses(store: Store, onError: (error: unknown) => void): CredentialUses {
  let keys = new Map<string, number>()
  let tokens = new Map<string, number>()
  const flush = async () => {
    const [usedKeys, usedTokens] = [keys, tokens]
    keys = new Map()
    tokens = new Map()
    if (usedKeys.size > 0) await touchApiKeys(store.write, usedKeys)
    if (usedTokens.size > 0) await touchAccessTokens(store.write, usedTokens)
  }
  const timer = setInterval(() => void flush().catch(onError), FLUSH_MS)
  timer.unref()
  return {
    noteKey: (id) => void keys.set(id, Date.now()),
    noteToken: (id) => void tokens.set(id, Date.now()),
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await flush()
    },
  }
}
