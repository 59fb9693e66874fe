import { EXIT } from './exit-codes.ts'

/** A command cannot be carried out, and why, in a sentence or two that are all the person gets to see. */
export class CommandError extends Error {
  override name = 'CommandError'
  readonly exitCode: number

  constructor(message: string, exitCode: number = EXIT.error) {
    super(message)
    this.exitCode = exitCode
  }
}
