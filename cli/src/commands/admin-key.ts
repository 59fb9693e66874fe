import { createKey } from '@docent/server/auth/accounts.ts'
import { EXIT } from '../exit-codes.ts'
import type { Terminal } from '../terminal.ts'
import { withStore } from '../with-store.ts'

type Wanted = { email: string; name: string; serverIds: string[] | null; forAssistant?: boolean }

/** `docent admin key`: prints only a new API key on standard output. */
export async function createAdminKey(terminal: Terminal, { serverIds, ...wanted }: Wanted): Promise<number> {
  const key = await withStore(terminal, (store) => createKey(store, { ...wanted, ...(serverIds && { serverIds }) }))
  terminal.out(`${key}\n`)
  return EXIT.ok
}
