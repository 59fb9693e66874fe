import { CommanderError } from 'commander'
import { CommandError } from './command-error.ts'
import { EXIT } from './exit-codes.ts'
import type { Terminal } from './terminal.ts'

/**
 * Errors of the service with a sentence for the operator. By name, so that an error of the command line does not load
 * the service.
 */
const WITH_SENTENCE = new Set([
  'AccountError',
  'ConfigError',
  'DamagedBackupError',
  'DocentError',
  'FolderLockedError',
  'ListenError',
  'NetworksError',
  'UnknownSchemaError',
  'RotationError',
  'StoreError',
  'StoreUnavailableError',
])

/** Reports an error on stderr and returns its exit code. Unexpected errors include their stack. */
export function reportError({ err, colors }: Terminal, error: unknown): number {
  if (error instanceof CommanderError) return usageCode(error)
  if (!(error instanceof Error)) {
    err(`${colors.red('error')}  ${String(error)}\n`)
    return EXIT.error
  }
  const foreseen = error instanceof CommandError || WITH_SENTENCE.has(error.name)
  err(`${colors.red('error')}  ${foreseen ? error.message : (error.stack ?? error.message)}\n`)
  return error instanceof CommandError ? error.exitCode : EXIT.error
}

/** commander has already printed its message. Requested help and version are not errors. */
function usageCode({ code }: CommanderError): number {
  return code === 'commander.helpDisplayed' || code === 'commander.version' ? EXIT.ok : EXIT.usage
}
