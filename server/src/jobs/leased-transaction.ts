import type { Db, Store } from '#store/db.ts'
import { LeaseLost } from './errors.ts'
import type { Job } from '#store/jobs/job.ts'
import { renew } from '#store/jobs/queue.ts'

/** A transaction that changes nothing unless the writing job still holds its lease. */
export type LeasedTransaction = <T>(body: (tx: Db) => Promise<T>) => Promise<T>

/**
 * Wraps transactions with a lease check. Each first renews the lease. It fails with `LeaseLost` before any change if
 * the job moved to another node, or if its server was deleted.
 */
export function inLeasedTransaction(store: Pick<Store, 'transaction'>, job: Job): LeasedTransaction {
  return (body) =>
    store.transaction(async (tx) => {
      if (!(await renew(tx, job))) throw new LeaseLost()
      return body(tx)
    })
}
