import type { Operation } from '@docent/contract/operation'
import type { Db } from '#store/db.ts'
import type { OperationDeps } from './operation.ts'
import { giveBack, refuseWhenFull, takeOrRefuse, type Window } from './take-or-refuse.ts'

/** When a request is taken off the operation's rate limit. */
export type Limit = {
  /** Before the input is looked at. Throws `429 too_many_requests`. */
  before(): Promise<void>
  /** In the transaction that creates. Throws the same. */
  within(tx: Db): Promise<void>
  afterRefusal(): Promise<void>
}

/**
 * What creates is counted when it is created and in the same transaction: a refused request costs nothing, and of several
 * with one `Idempotency-Key` only the one whose transaction is committed counts. A stream works before it creates, so it
 * is counted first and given back when it is refused. Everything else is counted first.
 */
export function openLimit(
  deps: OperationDeps,
  { rateLimit, onceByKey, produces }: Operation,
  key: string | null,
): Limit {
  const nothing = async () => {}
  if (!rateLimit || key === null) return { before: nothing, within: nothing, afterRefusal: nothing }
  const window: Window = { key, ...rateLimit }
  const before = () => takeOrRefuse(deps, window)
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
    within: (tx) => takeOrRefuse({ ...deps, store: { read: tx, write: tx } }, window),
    afterRefusal: nothing,
  }
}
