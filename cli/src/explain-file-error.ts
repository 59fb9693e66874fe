import { CommandError } from './command-error.ts'

/** Turns an error of the file system, such as a full disk, into a sentence that begins with `what`. */
export function explainFileError(what: string, error: unknown): unknown {
  const isOfFiles = error instanceof Error && 'syscall' in error && 'code' in error
  return isOfFiles ? new CommandError(`${what}: ${error.message}`) : error
}
