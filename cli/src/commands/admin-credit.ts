import { grantSourceCredits } from '@docent/server/auth/accounts.ts'
import { CommandError } from '../command-error.ts'
import { EXIT } from '../exit-codes.ts'
import type { Terminal } from '../terminal.ts'
import { withStore } from '../with-store.ts'

/** `docent admin credit`: raises a server's source limit above that of its account's plan. */
export async function creditSources(
  terminal: Terminal,
  { server, sources }: { server: string; sources: string },
): Promise<number> {
  const count = Number(sources)
  if (!Number.isInteger(count) || count < 1) {
    throw new CommandError(`This is not a number of sources: ${sources}`, EXIT.usage)
  }
  const credits = await withStore(terminal, (store) => grantSourceCredits(store, { serverId: server, credits: count }))
  terminal.err(`${server} may have ${credits} source${credits === 1 ? '' : 's'} beyond its plan now.\n`)
  return EXIT.ok
}
