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
