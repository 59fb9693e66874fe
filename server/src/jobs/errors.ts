/** Work that cannot succeed by being tried again. The message is shown to the person who owns the source. */
export class GiveUp extends Error {
  override name = 'GiveUp'
}

/** The job is not ours any more: another node has claimed it, or what it was about is gone. */
export class LeaseLost extends Error {
  override name = 'LeaseLost'
}
