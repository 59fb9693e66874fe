import type { Db, Store } from '#store/db.ts'
import type { Job } from '#store/jobs/job.ts'
import { renew } from '#store/jobs/queue.ts'

/** A permanent failure that must not be retried. The message is shown to the owner of the source. */
export class GiveUp extends Error {
  override name = 'GiveUp'
}

/** The lease is lost: another node has claimed the job, or its subject was deleted. */
export class LeaseLost extends Error {
  override name = 'LeaseLost'
}

/** The work is not due yet, or its time slice is over. It resumes at `runAt`, and the attempt does not count. */
export class TooEarly extends Error {
  override name = 'TooEarly'
  readonly runAt: number

  constructor(runAt: number) {
    super('The work is not due yet')
    this.runAt = runAt
  }
}

/** A transaction that changes nothing unless the writing job still holds its lease. */
export type LeasedTransaction = <T>(body: (tx: Db) => Promise<T>) => Promise<T>

/** Transactions that renew the lease first. Rejects with `LeaseLost` if the job moved or its server was deleted. */
export function inLeasedTransaction(store: Pick<Store, 'transaction'>, job: Job): LeasedTransaction {
  return (body) =>
    store.transaction(async (tx) => {
      if (!(await renew(tx, job))) throw new LeaseLost()
      return body(tx)
    })
}
