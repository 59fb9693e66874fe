import { StoreUnavailableError } from './store-unavailable.ts'

/** What was read last is used for so long while the database is away: a restart takes seconds, a move minutes. */
export const LAST_KNOWN_MS = 10 * 60_000

/**
 * Reads through to the database, and gives what it read there last while that is away, for {@link LAST_KNOWN_MS} at
 * most; then, and for what it has not read, `StoreUnavailableError`. Nothing can have been changed meanwhile but by a
 * node that still reaches the database. `entries`: values kept, the last that were read.
 */
export function lastKnown<V>(
  load: (key: string) => Promise<V | undefined>,
  { entries, monotonic = () => performance.now() }: { entries: number; monotonic?: () => number },
): (key: string) => Promise<V | undefined> {
  const known = new Map<string, { value: V; readAt: number }>()
  return async (key) => {
    try {
      const value = await load(key)
      known.delete(key)
      if (value === undefined) return undefined
      known.set(key, { value, readAt: monotonic() })
      if (known.size > entries) known.delete(known.keys().next().value ?? key)
      return value
    } catch (error) {
      const last = error instanceof StoreUnavailableError ? known.get(key) : undefined
      if (!last || monotonic() - last.readAt > LAST_KNOWN_MS) throw error
      return last.value
    }
  }
}
