import { sourceKind } from '@docent/contract/values/source-kinds'
import type { SourceType } from '@docent/contract/values/sources'
import type { Actor } from '#auth/authenticate.ts'
import { DocentError } from '#errors.ts'
import { addressKey } from '#lib/addresses/page-address.ts'
import type { RemoteCredential } from '#upstream/connect-remote-mcp.ts'
import type { OperationDeps } from '../operation.ts'
import { checkRepository } from './repository-access.ts'
import { readUrl, ownMessage, refuseAllowedTools, typeOf } from './check-source.ts'

export type NewSource = {
  address: URL
  label: string | null
  type: SourceType
  /** True if the type was guessed from the address alone. Indexing then detects it. */
  isGuessed: boolean
  auth: RemoteCredential | null
  /** Remote tools that may be called although they are not declared read-only. */
  allowedTools: readonly string[]
  /** Path patterns; see `createScope`. */
  include: readonly string[]
  exclude: readonly string[]
}

/** With the address as entered, for messages. */
type ReadSource = NewSource & { given: string }

/** An address as entered, and why it is invalid. */
type IgnoredSource = { url: string; reason: string }

type Given = {
  url: string
  label?: string | null | undefined
  type?: SourceType | undefined
  auth?: RemoteCredential | undefined
  allowedTools?: readonly string[] | undefined
  include?: readonly string[] | undefined
  exclude?: readonly string[] | undefined
}

/** The sources of a new server, and the addresses that are not among them. */
export type ReadSources = { sources: ReadSource[]; ignored: IgnoredSource[] }

/**
 * The sources of a new server: valid addresses without duplicates. Invalid ones are reported in the response. Throws
 * `400 no_valid_source_url`, `only_mcp_credentials` or `invalid_input`.
 */
export function readSources(given: readonly Given[], deps: Pick<OperationDeps, 'readAddress'>): ReadSources {
  const sources = new Map<string, ReadSource>()
  const ignored: IgnoredSource[] = []
  for (const one of given) {
    const { url: text, label = null, type: givenType, auth = null, allowedTools = [], include = [], exclude = [] } = one
    const read = readUrl(deps, text)
    if ('problem' in read) {
      ignored.push({ url: text, reason: read.problem })
      continue
    }
    const { address } = read
    const { type, isGuessed } = typeOf(address, { givenType, hasCredential: auth !== null })
    if (auth && !sourceKind(type).takesCredential) throw new DocentError('only_mcp_credentials')
    refuseAllowedTools(type, allowedTools)
    const source = { address, given: text.trim(), label, type, isGuessed, auth, allowedTools, include, exclude }
    const key = addressKey(address.href)
    if (!sources.has(key)) sources.set(key, source)
  }
  if (sources.size === 0) {
    const first = ignored.find(({ url }) => url !== '')
    throw new DocentError('no_valid_source_url', first ? { fields: { message: first.reason } } : {})
  }
  return { sources: [...sources.values()], ignored }
}

/** Throws `400 private_source_urls` with every address that is private by its text. Does no look-up. */
export function refusePrivateTexts(
  deps: Pick<OperationDeps, 'isPrivateByText' | 'isOwnAddress'>,
  sources: readonly ReadSource[],
): void {
  refuse(
    deps,
    sources.filter(({ address }) => deps.isPrivateByText(address)),
  )
}

/**
 * Throws `400 private_source_urls` with every address that resolves to a private network. Looks up each host once, so
 * it runs after all checks that need no look-up.
 */
export async function refusePrivateAddresses(
  deps: Pick<OperationDeps, 'checkAddress' | 'isOwnAddress'>,
  sources: readonly ReadSource[],
  by: { account: string; signal: AbortSignal },
): Promise<void> {
  const asked = new Map(sources.map(({ address }) => [address.origin, address]))
  const looks = [...asked].map(async ([origin, address]) => [origin, await deps.checkAddress(address, by)] as const)
  const verdicts = new Map(await Promise.all(looks))
  refuse(
    deps,
    sources.filter(({ address }) => verdicts.get(address.origin) === 'private'),
  )
}

function refuse(deps: Pick<OperationDeps, 'isOwnAddress'>, refused: readonly ReadSource[]): void {
  if (refused.length === 0) return
  const list = refused.map(({ given }) => given).join(', ')
  throw new DocentError('private_source_urls', {
    text: `These URLs point to private or internal network addresses and cannot be indexed: ${list}`,
    fields: ownMessage(
      deps,
      refused.map(({ address }) => address),
    ),
  })
}

/**
 * True if the source is a known private repository. An inaccessible one is not: the server is created, and reports for
 * each source why it could not be indexed.
 */
export async function isPrivateRepository(
  deps: OperationDeps,
  actor: Actor,
  { address, type }: Pick<NewSource, 'address' | 'type'>,
): Promise<boolean> {
  if (!sourceKind(type).isRepository) return false
  try {
    return (await checkRepository(deps, actor, address)).isPrivate
  } catch (error) {
    if (error instanceof DocentError && error.code !== 'internal') return false
    throw error
  }
}
