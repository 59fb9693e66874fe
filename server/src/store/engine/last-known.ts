import { StoreUnavailableError } from './store-unavailable.ts'

/** Maximum age of cached reads during an outage. A restart takes seconds, a failover minutes. */
export const LAST_KNOWN_MS = 10 * 60_000

/**
 * Reads through to the database. During an outage, returns the last read value for at most {@link LAST_KNOWN_MS}. After
 * that, and for other values, throws `StoreUnavailableError`. Only a node that still reaches the database can have
 * changed a value meanwhile. `entries` is the number of recent values kept.
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
