/** The file is not a complete backup. The message is one sentence for the operator. */
export class DamagedBackupError extends Error {
  override name = 'DamagedBackupError'

  constructor(why: string, options?: ErrorOptions) {
    super(`The backup is damaged: ${why}.`, options)
  }
}
