import type { ErrorCode } from '@docent/contract/errors'
import type { Actor } from '#auth/authenticate.ts'
import { DocentError } from '#errors.ts'
import { type LinkedAccount, findLinkedAccount } from '#store/linked-accounts.ts'
import { lookUpPrivacy } from '#upstream/code-host.ts'
import { hostName, repositoryAt } from '#upstream/code-host-kind.ts'
import { UpstreamError } from '#upstream/upstream-error.ts'
import type { OperationDeps } from '../operation.ts'

type Asking = Pick<OperationDeps, 'store' | 'net' | 'linkedTokens' | 'config'>

/** The linked code host belongs to the whole account: a key for single servers must not reach what it can read. */
export const mayUseLinkedAccount = ({ serverIds }: Pick<Actor, 'serverIds'>): boolean => serverIds === null

/**
 * Whether the repository at this address is private, asked with the account's linked account if there is one and the
 * caller may use it. Addresses of hosts that cannot be asked are taken to be public. Throws `422 auth_required`, `not_found_or_no_access`
 * or `repo_access_failed`. Code hosts do not tell a private repository from one that does not exist, so neither is said to
 * be the other.
 */
export async function checkRepository(
  { store, net, linkedTokens, config: { githubApiUrl } }: Asking,
  actor: Actor,
  address: URL,
): Promise<{ isPrivate: boolean }> {
  const account = await findLinkedAccount(store.read, actor.accountId, hostName(address.host))
  const place = repositoryAt(address, githubApiUrl, account?.kind)
  const kind = place?.kind ?? account?.kind
  if (!place || !kind) return { isPrivate: false }
  const { host, name, owner, repo } = place
  // Whether it is private is never known here: what is private can be read with the linked account, or is not there.
  const refuse = (code: ErrorCode, text?: string) =>
    new DocentError(code, {
      ...(text === undefined ? {} : { text }),
      fields: { owner, repo, hasGithubLink: account !== undefined, isPrivate: false },
    })
  const isAllowed = mayUseLinkedAccount(actor)
  const { token, problem } =
    account && isAllowed ? await tokenOf(linkedTokens, account) : { token: null, problem: null }
  try {
    return await lookUpPrivacy({ net, githubApiUrl }, { host, kind, name, token })
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    if (error.reason === 'absent') {
      if (problem instanceof UpstreamError) throw refuse('repo_access_failed', stale(problem))
      if (problem) throw problem
      const why = isAllowed ? undefined : NEEDS_ACCOUNT_KEY
      throw account ? refuse('not_found_or_no_access', why) : refuse('auth_required', why)
    }
    throw refuse('repo_access_failed', `The repository could not be looked at. ${error.message}`)
  }
}

/** Without its token, public repositories can still be looked at. */
async function tokenOf(
  linkedTokens: OperationDeps['linkedTokens'],
  account: LinkedAccount,
): Promise<{ token: string | null; problem: unknown }> {
  try {
    return { token: await linkedTokens.tokenOf(account), problem: null }
  } catch (problem) {
    return { token: null, problem }
  }
}

const NEEDS_ACCOUNT_KEY =
  'There is no such public repository. A key that is scoped to specific servers cannot use the linked accounts of the account: add a private repository with an account-wide key, or from the dashboard.'

const stale = ({ message }: UpstreamError): string =>
  `The linked account’s token has expired, and there was no new one. ${message} Link the account again.`
