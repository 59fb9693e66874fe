import type { ErrorCode } from '@docent/contract/errors'
import type { Actor } from '#auth/authenticate.ts'
import { DocentError } from '#errors.ts'
import { type LinkedAccount, findLinkedAccount } from '#store/accounts/linked-accounts.ts'
import { lookUpPrivacy, hostName, repositoryAt } from '#upstream/code-host.ts'
import { UpstreamError } from '#upstream/upstream-error.ts'
import type { OperationDeps } from '../operation.ts'

type Asking = Pick<OperationDeps, 'store' | 'net' | 'linkedTokens' | 'config'>

/** The linked code host belongs to the whole account. A key for single servers must not reach its repositories. */
export const mayUseLinkedAccount = ({ serverIds }: Pick<Actor, 'serverIds'>): boolean => serverIds === null

/**
 * True if the repository at this address is private, using the linked account if the caller may use it. Addresses of
 * unsupported hosts count as public. Throws `422 auth_required`, `not_found_or_no_access` or `repo_access_failed`. Code
 * hosts do not distinguish private from nonexistent repositories, so neither do the errors.
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
  // Privacy is unknown on failure: a private repository is either readable with the linked account or appears missing.
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

/** Public repositories are readable without the token. */
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
