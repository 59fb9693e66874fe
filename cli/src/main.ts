import { createProgram } from './program.ts'
import { reportError } from './report-error.ts'
import { openTerminal } from './terminal.ts'

// Only the user may access files that this program writes: data, keys, and temporary files.
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
