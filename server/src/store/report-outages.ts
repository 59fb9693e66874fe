import { type Outage, StoreUnavailableError } from './store-unavailable.ts'

/** Each kind of outage is told of this often at most, however many queries it fails. */
const EVERY_MS = 10_000

export type OutageReporter = {
  /** Takes note of an error that a query ended with, and returns it. */
  failed(error: unknown): unknown
  /** Takes note of a query that was answered. */
  answered(): void
}

type Listeners = {
  onError: (problem: StoreUnavailableError) => void
  /** Hears that a database that was away answers again. */
  onAnswer?: (() => void) | undefined
}

/**
 * Tells of outages as they begin, and of the end of those in which nothing is answered: the end of a full disk is seen
 * by no single query.
 */
export function reportOutages(
  { onError, onAnswer }: Listeners,
  monotonic: () => number = () => performance.now(),
): OutageReporter {
  const toldAt = new Map<Outage, number>()
  let isAway = false
  return {
    failed(error) {
      if (!(error instanceof StoreUnavailableError)) return error
      const { outage } = error
      const last = toldAt.get(outage)
      const isNew = outage === 'away' && !isAway
      if (outage === 'away') isAway = true
      if (isNew || last === undefined || monotonic() - last >= EVERY_MS) {
        toldAt.set(outage, monotonic())
        onError(error)
      }
      return error
    },
    answered() {
      if (!isAway) return
      isAway = false
      onAnswer?.()
    },
  }
}
