/** Work that cannot succeed by being tried again. The message is shown to the person who owns the source. */
export class GiveUp extends Error {
  override name = 'GiveUp'
}

/** The job is not ours any more: another node has claimed it, or what it was about is gone. */
export class LeaseLost extends Error {
  override name = 'LeaseLost'
}

/** The work is not due yet, or its time slice is over. It goes on at `runAt`, and the attempt does not count. */
export class TooEarly extends Error {
  override name = 'TooEarly'
  readonly runAt: number

  constructor(runAt: number) {
    super('The work is not due yet')
    this.runAt = runAt
  }
}
