import { touchAccessTokens, touchApiKeys, touchSessions } from '#store/accounts/keys.ts'
import type { Clock } from '#lib/clock.ts'
import type { Db, Store } from '#store/db.ts'

/** Write interval of last-used times. A write per request would cost more than many requests. */
const FLUSH_MS = 30_000

const TOUCH = { key: touchApiKeys, token: touchAccessTokens, session: touchSessions } satisfies Record<
  string,
  (db: Db, uses: ReadonlyMap<string, number>) => Promise<void>
>
type Kind = keyof typeof TOUCH

type Deps = { store: Store; clock: Clock; onError: (error: unknown) => void }

export type CredentialUses = AsyncDisposable & { note(kind: Kind, id: string): void }

/** Collects when keys, tokens and sessions were last used. Writes the times periodically and on disposal. */
export function createCredentialUses({ store, clock, onError }: Deps): CredentialUses {
  const fresh = () => ({ key: new Map<string, number>(), token: new Map(), session: new Map() })
  let uses: Record<Kind, Map<string, number>> = fresh()
  const flush = async () => {
    const used = uses
    uses = fresh()
    for (const kind of ['key', 'token', 'session'] as const) {
      if (used[kind].size === 0) continue
      try {
        await TOUCH[kind](store.write, used[kind])
      } catch (error) {
        // Keep for the next attempt. Later uses take precedence.
        uses[kind] = new Map([...used[kind], ...uses[kind]])
        onError(error)
      }
    }
  }
  const timer = setInterval(() => void flush(), FLUSH_MS)
  timer.unref()
  return {
    note: (kind, id) => void uses[kind].set(id, clock()),
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await flush()
    },
  }
}
