import { setPassword } from '@docent/server/auth/accounts.ts'
import { deleteSessions } from '@docent/server/store/accounts/keys.ts'
import { EXIT } from '../exit-codes.ts'
import { readSecret } from '../read-secret.ts'
import type { Terminal } from '../terminal.ts'
import { withStore } from '../with-store.ts'

/** `docent admin password`: sets a password from standard input or a prompt, and ends all sessions of the account. */
export async function setAdminPassword(
  terminal: Terminal,
  { email, fromStdin }: { email: string; fromStdin: boolean },
): Promise<number> {
  const password = await readSecret(terminal, { name: 'password', option: '--password-stdin', fromStdin })
  const ended = await withStore(terminal, async (store) => {
    const person = await setPassword(store, { email, password })
    return deleteSessions(store.write, { personId: person.id }, null)
  })
  terminal.err(`${email} has a new password. Sessions that ended: ${ended}.\n`)
  return EXIT.ok
}
