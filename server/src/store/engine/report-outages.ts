import { type Outage, StoreUnavailableError } from './store-unavailable.ts'

/** Minimum interval between reports of one kind of outage, however many queries fail. */
const EVERY_MS = 10_000

export type OutageReporter = {
  /** Records the error of a query, and returns it. */
  failed(error: unknown): unknown
  /** Records a successful query. */
  answered(): void
}

type Listeners = {
  onError: (problem: StoreUnavailableError) => void
  /** Called when the database answers again. */
  onAnswer?: (() => void) | undefined
}

/** Reports outages when they begin, and the end of total outages. No single query shows the end of a full disk. */
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
