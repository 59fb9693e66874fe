/** Tells when a process has changed jobs or deliveries, so that those who wait for due ones need not poll. */
export type QueueChanges = {
  /** Calls `listener` after each change, until the result is disposed of. */
  on(listener: () => void): Disposable
  /** False while changes of other nodes would go unnoticed. */
  isHeard(): boolean
}

/** Polls while changes go unnoticed, at least this often. */
const POLL_MS = 1_000
/** Longest rest. Bounds what a lost notification or a change of the clock delays. */
const REST_MS = 15_000

/** Wait in milliseconds until the next row is due at `dueAt`; null if none is waiting. */
export function restUntil(queue: Pick<QueueChanges, 'isHeard'>, dueAt: number | null, now: number): number {
  if (!queue.isHeard()) return POLL_MS
  return dueAt === null ? REST_MS : Math.min(REST_MS, Math.max(POLL_MS, dueAt - now))
}

/** The listeners of a process, who are called by `changed`. */
export function createQueueChanges({ isHeard }: Pick<QueueChanges, 'isHeard'>) {
  const listeners = new Set<() => void>()
  return {
    isHeard,
    on(listener: () => void): Disposable {
      listeners.add(listener)
      return { [Symbol.dispose]: () => void listeners.delete(listener) }
    },
    changed: () => listeners.forEach((listener) => listener()),
  }
}

/** Tables of the queue: SQL that inserts or changes their rows. */
export const CHANGES_QUEUE = /\b(?:insert into|update) "?(?:jobs|webhook_deliveries)\b/i
