import type { Operation } from '@docent/contract/operation'
import type { Db } from '#store/db.ts'
import type { OperationDeps } from './operation.ts'
import { giveBack, refuseWhenFull, enforceRateLimit, type Window } from './enforce-rate-limit.ts'

/** When a request counts against the operation's rate limit. */
export type Limit = {
  /** Before input validation. Throws `429 too_many_requests`. */
  before(): Promise<void>
  /** In the creating transaction. Throws the same. */
  within(tx: Db): Promise<void>
  afterRefusal(): Promise<void>
}

/**
 * Opens the rate limit of an operation. Creations count in their transaction: refused requests are free, and of several
 * with one `Idempotency-Key` only the committed one counts. A stream works before it creates, so it counts first and is
 * returned on refusal. All other requests count first.
 */
export function openLimit(
  deps: OperationDeps,
  { rateLimit, onceByKey, produces }: Operation,
  key: string | null,
): Limit {
  const nothing = async () => {}
  if (!rateLimit || key === null) return { before: nothing, within: nothing, afterRefusal: nothing }
  const window: Window = { key, ...rateLimit }
  const before = () => enforceRateLimit(deps, window)
  if (!onceByKey) return { before, within: nothing, afterRefusal: nothing }
  if (produces) {
    let taken = false
    return {
      before: async () => {
        await before()
        taken = true
      },
      within: nothing,
      afterRefusal: async () => {
        if (taken) await giveBack(deps, window)
      },
    }
  }
  return {
    before: () => refuseWhenFull(deps, window),
    within: (tx) => enforceRateLimit({ ...deps, store: { read: tx, write: tx } }, window),
    afterRefusal: nothing,
  }
}
