import { createProgram } from './program.ts'
import { reportError } from './report-error.ts'
import { openTerminal } from './terminal.ts'

// Whatever this program writes is its user's alone: data, keys, and what passes through folders for temporary files.
process.umask(0o077)
const terminal = openTerminal(process)
const program = createProgram(terminal, (code) => {
  process.exitCode = code
})

try {
  await program.parseAsync()
} catch (error) {
  process.exitCode = reportError(terminal, error)
}
