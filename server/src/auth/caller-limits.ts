import type { CallerLimits } from '@docent/contract/values/caller-limits'
import { networkSteps } from '#lib/addresses/client-network.ts'
import { isoTime } from '#lib/clock.ts'
import { DAY_MS, countAnonymousCalls } from '#store/accounts/usage.ts'
import type { Db, Store } from '#store/db.ts'

/** A caller without a credential, by its `clientNetwork`, and the limits of the called account. */
export type Anonymous = { network: string; limits: CallerLimits }

/** The refusal of an anonymous call, for clients. `resetsAt` is ISO 8601. */
export type CallerLimitReached = {
  reason: 'anonymous_limit_reached'
  of: 'month' | 'day' | 'network'
  limit: number
  resetsAt: string
}

/** The part of a monthly allowance that anonymous callers can use. */
export const anonymousShare = (allowance: number, { reservedPercent }: CallerLimits): number =>
  Math.floor((allowance * (100 - reservedPercent)) / 100)

export const shareReached = (limit: number, resetsAt: number): CallerLimitReached => {
  return { reason: 'anonymous_limit_reached', of: 'month', limit, resetsAt: isoTime(resetsAt) }
}

export const hasDailyLimit = ({ limits }: Anonymous): boolean =>
  limits.anonymousPerDay > 0 || limits.anonymousPerNetworkPerDay > 0

type Call = { accountId: string; now: number; anonymous: Anonymous }

/** Counts an anonymous call against the limits of the day. After a refusal the transaction must be rolled back. */
export async function takeOfDay(tx: Db, { accountId, now, anonymous }: Call): Promise<CallerLimitReached | null> {
  const { anonymousPerDay: ofAll, anonymousPerNetworkPerDay: ofNetwork } = anonymous.limits
  const steps = ofNetwork > 0 ? networkSteps(anonymous.network) : []
  // From narrow to wide, so that concurrent transactions lock common rows in the same order.
  const counters = [
    ...steps.map(({ network, times }) => ({ network, limit: ofNetwork * times })),
    ...(ofAll > 0 ? [{ network: '', limit: ofAll }] : []),
  ]
  const day = Math.floor(now / DAY_MS)
  const full = await countAnonymousCalls(tx, { accountId, day, counters })
  if (!full) return null
  const of = full.network === '' ? 'day' : 'network'
  return { reason: 'anonymous_limit_reached', of, limit: full.limit, resetsAt: isoTime((day + 1) * DAY_MS) }
}

/** Rolls a transaction back. */
class Refused extends Error {}

/** Runs `body` in a transaction, which has no effect if it returns a refusal. */
export async function unlessRefused<R>(store: Store, body: (tx: Db) => Promise<R | null>): Promise<R | null> {
  let refusal: R | null = null
  try {
    await store.transaction(async (tx) => {
      refusal = await body(tx)
      if (refusal !== null) throw new Refused()
    })
  } catch (error) {
    if (!(error instanceof Refused)) throw error
  }
  return refusal
}
