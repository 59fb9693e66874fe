import type { ErrorCode } from '@docent/contract/errors'
import type { Actor } from '#auth/authenticate.ts'
import type { Vault } from '#auth/vault.ts'
import { DocentError } from '#errors.ts'
import { type LinkedAccount, findLinkedAccount } from '#store/linked-accounts.ts'
import { lookUpRepository } from '#upstream/github.ts'
import { githubRepository } from '#upstream/repository-url.ts'
import { UpstreamError } from '#upstream/upstream-error.ts'
import type { OperationDeps } from '../operation.ts'

type Asking = Pick<OperationDeps, 'store' | 'net' | 'vault' | 'config'>

/**
 * Whether the repository at this address is private, asked with the account's linked account where there is one.
 * Addresses of hosts that cannot be asked are taken to be public. Throws `422 auth_required`, `not_found_or_no_access`
 * or `repo_access_failed`. GitHub does not tell a private repository from one that does not exist, so without a linked
 * account either is taken to be private.
 */
export async function checkRepository(
  { store, net, vault, config }: Asking,
  { accountId }: Actor,
  address: URL,
): Promise<{ isPrivate: boolean }> {
  const name = githubRepository(address)
  if (!name) return { isPrivate: false }
  const account = await findLinkedAccount(store.read, accountId, 'github.com')
  const refuse = (code: ErrorCode, isPrivate: boolean, text?: string) =>
    new DocentError(code, {
      ...(text === undefined ? {} : { text }),
      fields: { ...name, hasGithubLink: account !== undefined, isPrivate },
    })
  const { token, problem } = account ? tokenOf(vault, account) : { token: null, problem: null }
  try {
    return await lookUpRepository({ net, apiUrl: config.githubApiUrl, token }, name)
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    if (error.reason === 'absent') {
      if (problem) throw problem
      throw account ? refuse('not_found_or_no_access', false) : refuse('auth_required', true)
    }
    throw refuse('repo_access_failed', false, `The repository could not be looked at. ${error.message}`)
  }
}

/** Without its token, public repositories can still be looked at. */
function tokenOf(vault: Vault, { id, sealed }: LinkedAccount): { token: string | null; problem: unknown } {
  try {
    return { token: vault.unseal(sealed, { table: 'linkedAccounts', id }), problem: null }
  } catch (problem) {
    return { token: null, problem }
  }
}
