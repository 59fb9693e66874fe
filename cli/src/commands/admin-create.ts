import { createAccount } from '@docent/server/auth/accounts.ts'
import { EXIT } from '../exit-codes.ts'
import { readSecret } from '../read-secret.ts'
import type { Terminal } from '../terminal.ts'
import { withStore } from '../with-store.ts'

/** `docent admin create`: creates an account with a password from standard input or a prompt. */
export async function createAdmin(
  terminal: Terminal,
  { email, fromStdin }: { email: string; fromStdin: boolean },
): Promise<number> {
  const password = await readSecret(terminal, { name: 'password', option: '--password-stdin', fromStdin })
  await withStore(terminal, (store, { defaultPlan }) => createAccount(store, { email, password, plan: defaultPlan }), {
    mayMake: true,
  })
  terminal.err(`Made the account ${email}.\n`)
  return EXIT.ok
}
