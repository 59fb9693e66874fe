import { EXIT } from './exit-codes.ts'
import { runCommand } from './run-command.ts'
import { openTerminal } from './terminal.ts'

// Only the user may access files that this program writes: data, keys, and temporary files.
process.umask(0o077)
// The output pipe was closed, for example by `head` after its first lines. Nobody needs the rest.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(EXIT.ok)
})
process.exitCode = await runCommand(openTerminal(process), process.argv.slice(2))
