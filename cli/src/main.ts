import { EXIT } from './exit-codes.ts'
import { createProgram } from './program.ts'
import { reportError } from './report-error.ts'
import { openTerminal } from './terminal.ts'

// Only the user may access files that this program writes: data, keys, and temporary files.
process.umask(0o077)
// The output pipe was closed, for example by `head` after its first lines. Nobody needs the rest.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(EXIT.ok)
})
const terminal = openTerminal(process)
const program = createProgram(terminal, (code) => {
  process.exitCode = code
})

try {
  await program.parseAsync()
} catch (error) {
  process.exitCode = reportError(terminal, error)
}
