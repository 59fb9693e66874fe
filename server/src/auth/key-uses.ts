import type { Store } from '#store/db.ts'
import { touchApiKeys } from '#store/api-keys.ts'

/** Last-used times are written this often: a write for every request would cost more than many requests. */
const FLUSH_MS = 30_000

export type KeyUses = AsyncDisposable & { note(keyId: string): void }

/** Remembers when keys were last used, and writes it from time to time and when it is disposed of. */
export function createKeyUses(store: Store, onError: (error: unknown) => void): KeyUses {
  let uses = new Map<string, number>()
  const flush = async () => {
    const batch = uses
    uses = new Map()
    if (batch.size > 0) await touchApiKeys(store.write, batch)
  }
  const timer = setInterval(() => void flush().catch(onError), FLUSH_MS)
  timer.unref()
  return {
    note: (keyId) => void uses.set(keyId, Date.now()),
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await flush()
    },
  }
}
