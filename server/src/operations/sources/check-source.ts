import type { ErrorCode } from '@docent/contract/errors'
import { sourceKind, suggestedType } from '@docent/contract/values/source-kinds'
import { MAX_URL, type SourceType } from '@docent/contract/values/sources'
import type { Actor } from '#auth/authenticate.ts'
import { takesSiteAccess } from '#auth/site-access.ts'
import { DocentError } from '#errors.ts'
import { addressKey } from '#lib/addresses/page-address.ts'
import { maskAddress, readSecrets } from '#lib/addresses/secret-address.ts'
import { defined } from '#lib/objects.ts'
import { readAddress } from '#net/check-url.ts'
import { type LinkedAccount, findLinkedAccount } from '#store/accounts/linked-accounts.ts'
import { findSiteAccess } from '#store/accounts/site-access.ts'
import { hostName, lookUpPrivacy, repositoryAt } from '#upstream/code-host.ts'
import { UpstreamError } from '#upstream/upstream-error.ts'
import type { Handler, OperationDeps } from '../operation.ts'

function readUrl(text: string): ReturnType<typeof readAddress> {
  if (text.length <= MAX_URL) return readAddress(text)
  const [has, may] = [text.length, MAX_URL].map((length) => length.toLocaleString('en'))
  return { problem: `The URL has ${has} characters, and may have ${may}.` }
}

/** Parses the address, or throws `400 valid_url_required` with the problem. */
export function requireUrl(text: string): URL {
  const read = readUrl(text)
  if ('address' in read) return read.address
  throw new DocentError('valid_url_required', { fields: { message: read.problem } })
}

const OWN =
  'This is an address of this service itself, which it does not fetch. Add what that server answers from instead.'

/** The error `400 private_source_url`, with a specific message for the service's own address. */
export function privateUrlError(deps: OperationDeps, address: URL): DocentError {
  return new DocentError('private_source_url', { fields: ownMessage(deps, [address]) })
}

/** `{message}` if one of the addresses is the service's own, otherwise an empty object. */
function ownMessage({ isOwnAddress }: OperationDeps, addresses: readonly URL[]): { message?: string } {
  return addresses.some(isOwnAddress) ? { message: OWN } : {}
}

/** Throws `400 invalid_input` if tools are allowed for a source that is not an MCP server. */
export function refuseAllowedTools(type: SourceType, allowedTools: readonly string[]): void {
  if (sourceKind(type).hasTools || allowedTools.length === 0) return
  throw new DocentError('invalid_input', { text: 'allowedTools must be empty: only sources of type `mcp` have tools.' })
}

/** The given source type, or that of the address. Repositories and sources with a credential are certain. */
function typeOf(address: URL, { type: given, auth }: Given): { type: SourceType; isGuessed: boolean } {
  if (given !== undefined) return { type: given, isGuessed: false }
  const suggested = suggestedType(address)
  const hasCredential = auth !== undefined
  // Only MCP servers have credentials, and the address suggests nothing else.
  const isMcp = hasCredential && sourceKind(suggested).reading === 'crawl'
  const type = isMcp ? 'mcp' : suggested
  return { type, isGuessed: !sourceKind(type).isRepository && !hasCredential }
}

/** The sentence about the credentials in an address, or null. */
export function warningOf(names: readonly string[]): string | null {
  if (names.length === 0) return null
  return `The address contains a credential (${names.join(', ')}). It is stored encrypted and never shown, but everybody who can use the server can read what is indexed with it.`
}

export type Given = Parameters<Handler<'servers.create'>>[1]['sources'][number]

export type NewSource = ReturnType<typeof checkSource>

/** The source at an address, which is not checked here. Throws `400 only_mcp_credentials` or `invalid_input`. */
export function checkSource(address: URL, given: Given) {
  // Remote tools that may be called although they are not declared read-only, and path patterns (see `createScope`).
  const { label = null, auth = null, allowedTools = [], include = [], exclude = [], versions = [] } = given
  // The type is guessed if only the address tells it. Indexing then detects it.
  const { type, isGuessed } = typeOf(address, given)
  if (auth && !sourceKind(type).takesCredential) throw new DocentError('only_mcp_credentials')
  refuseAllowedTools(type, allowedTools)
  const { names } = readSecrets(address.href)
  return {
    address,
    given: maskAddress(given.url.trim()),
    label,
    type,
    isGuessed,
    auth,
    /** True if it has a credential that keeps its server private. */
    isCredentialed: auth !== null || (names.length > 0 && sourceKind(type).takesCredential),
    warning: warningOf(names),
    allowedTools,
    include,
    exclude,
    versions,
  }
}

/** Distinct valid sources, and the ignored addresses. Throws `400 no_valid_source_url` or errors of `checkSource`. */
export function readSources(given: readonly Given[]) {
  const sources = new Map<string, NewSource>()
  const ignored: { url: string; reason: string }[] = []
  for (const one of given) {
    const read = readUrl(one.url)
    if ('problem' in read) {
      ignored.push({ url: maskAddress(one.url), reason: read.problem })
      continue
    }
    const source = checkSource(read.address, one)
    const key = addressKey(read.address.href)
    if (!sources.has(key)) sources.set(key, source)
  }
  if (sources.size === 0) {
    const first = ignored.find(({ url }) => url !== '')
    throw new DocentError('no_valid_source_url', first ? { fields: { message: first.reason } } : {})
  }
  return { sources: [...sources.values()], ignored }
}

/** Throws `400 private_source_urls` with every address that is private by its text. Does no look-up. */
export function refusePrivateTexts(deps: OperationDeps, sources: readonly NewSource[]): void {
  const refused = sources.filter(({ address }) => deps.isPrivateByText(address))
  if (refused.length > 0) throw privateUrls(deps, refused)
}

type Asking = Parameters<OperationDeps['checkAddress']>[1]

/** Throws `400 private_source_urls` with every address that resolves to a private network. Looks each host up once. */
export async function refusePrivateAddresses(deps: OperationDeps, sources: readonly NewSource[], by: Asking) {
  const asked = new Map(sources.map(({ address }) => [address.origin, address]))
  const looks = [...asked].map(async ([origin, address]) => [origin, await deps.checkAddress(address, by)] as const)
  const verdicts = new Map(await Promise.all(looks))
  const refused = sources.filter(({ address }) => verdicts.get(address.origin) === 'private')
  if (refused.length > 0) throw privateUrls(deps, refused)
}

function privateUrls(deps: OperationDeps, refused: readonly NewSource[]): DocentError {
  const list = refused.map(({ given }) => given).join(', ')
  const text = `These URLs point to private or internal network addresses and cannot be indexed: ${list}`
  const addresses = refused.map(({ address }) => address)
  return new DocentError('private_source_urls', { text, fields: ownMessage(deps, addresses) })
}

type Located = Pick<NewSource, 'address' | 'type'>

/**
 * True if the source is a known private repository, or will be read with site access. An inaccessible one is reported
 * when it is indexed.
 */
export async function isPrivateSource(deps: OperationDeps, actor: Actor, source: Located): Promise<boolean> {
  if (!sourceKind(source.type).isRepository) return usesSiteAccess(deps, actor, source)
  try {
    return (await checkRepository(deps, actor, source.address)).isPrivate
  } catch (error) {
    if (error instanceof DocentError && error.code !== 'internal') return false
    throw error
  }
}

/** True if the account has access to the site of a source, and the caller may use it. */
export async function usesSiteAccess(
  { store }: OperationDeps,
  actor: Actor,
  { address, type }: Located,
): Promise<boolean> {
  if (!takesSiteAccess(type) || !mayUseLinkedAccount(actor)) return false
  return (await findSiteAccess(store.read, { accountId: actor.accountId, origin: address.origin })) !== undefined
}

/** Linked code hosts and site access belong to the whole account. A key for single servers must not use them. */
export const mayUseLinkedAccount = ({ serverIds }: Pick<Actor, 'serverIds'>): boolean => serverIds === null

/**
 * True if the repository at this address is private, using the linked account if the caller may use it. Addresses of
 * other hosts count as public, and are `isUnasked`. Throws `422 auth_required`, `not_found_or_no_access` or `repo_access_failed`. Code
 * hosts do not distinguish private from nonexistent repositories, so neither do the errors.
 */
export async function checkRepository(
  deps: OperationDeps,
  actor: Actor,
  address: URL,
): Promise<{ isPrivate: boolean; isUnasked: boolean }> {
  const { store, net, linkedTokens, config } = deps
  const { githubApiUrl } = config
  const account = await findLinkedAccount(store.read, actor.accountId, hostName(address.host))
  const place = repositoryAt(address, githubApiUrl, account?.kind)
  const kind = place?.kind ?? account?.kind
  if (!place || !kind) return { isPrivate: false, isUnasked: true }
  const { host, name, owner, repo } = place
  // Privacy is unknown on failure: a private repository is either readable with the linked account or appears missing.
  const fields = { owner, repo, hasGithubLink: account !== undefined, isPrivate: false }
  const refuse = (code: ErrorCode, text?: string) => new DocentError(code, { ...defined({ text }), fields })
  const isAllowed = mayUseLinkedAccount(actor)
  const { token, problem } =
    account && isAllowed ? await tokenOf(linkedTokens, account) : { token: null, problem: null }
  try {
    return { ...(await lookUpPrivacy({ net, githubApiUrl }, { host, kind, name, token })), isUnasked: false }
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

const REFUSALS = { refused: 'auth_required', absent: 'not_found_or_no_access', failed: 'repo_access_failed' } as const

/** Throws like `checkRepository` if a host without a known interface shows no repository at an address. */
export async function refuseWithoutRepository(deps: OperationDeps, address: URL): Promise<void> {
  try {
    await deps.lookUpRepository(address)
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    const [owner = '', ...names] = address.pathname.split('/').filter(Boolean)
    const repo = names.at(-1)?.replace(/\.git$/, '') ?? ''
    const fields = { owner, repo, hasGithubLink: false, isPrivate: false }
    throw new DocentError(REFUSALS[error.reason], { text: error.message, fields })
  }
}

/** Public repositories are readable without the token. */
async function tokenOf(linkedTokens: OperationDeps['linkedTokens'], account: LinkedAccount) {
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
