import { SETUP_LINK_MINUTES } from '@docent/contract/operations/setup'
import { createSetupLink } from '@docent/server/auth/accounts.ts'
import { openableHost } from '@docent/server/lib/addresses/client-network.ts'
import { CommandError } from '../command-error.ts'
import { EXIT } from '../exit-codes.ts'
import type { Terminal } from '../terminal.ts'
import { withStore } from '../with-store.ts'

/** `docent setup-link`: prints only the address of the page that creates the first account on standard output. */
export async function printSetupLink(terminal: Terminal): Promise<number> {
  const link = await withStore(terminal, (store, { publicUrl, host, port }) =>
    createSetupLink(store, publicUrl ?? `http://${openableHost(host)}:${port}`),
  )
  if (link === null) {
    throw new CommandError('This instance has an account. For a new password: docent admin password --email ADDRESS')
  }
  terminal.out(`${link}\n`)
  terminal.err(`Open it within ${SETUP_LINK_MINUTES} minutes.\n`)
  return EXIT.ok
}
