import { EXIT } from './exit-codes.ts'
import { createProgram } from './program.ts'
import { reportError } from './report-error.ts'
import type { Terminal } from './terminal.ts'

/** Runs a command, given by the words after `docent`. Reports its errors and returns its exit code. */
export async function runCommand(terminal: Terminal, words: readonly string[]): Promise<number> {
  let exitCode: number = EXIT.ok
  const program = createProgram(terminal, (code) => {
    exitCode = code
  })
  try {
    await program.parseAsync(words, { from: 'user' })
    return exitCode
  } catch (error) {
    return reportError(terminal, error)
  }
}
