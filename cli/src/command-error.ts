import { EXIT } from './exit-codes.ts'

/** A failed command. The message of one or two sentences is all that users see. */
export class CommandError extends Error {
  override name = 'CommandError'
  readonly exitCode: number

  constructor(message: string, exitCode: number = EXIT.error) {
    super(message)
    this.exitCode = exitCode
  }
}
