import { MAX_URL, type SourceType } from '@docent/contract/values/sources'
import { sourceKind, suggestedType } from '@docent/contract/values/source-kinds'
import { DocentError } from '#errors.ts'
import type { OperationDeps, ReadAddress } from '../operation.ts'

type Deps = Pick<OperationDeps, 'readAddress'>

/** Parses the address of a source, or explains why it is invalid. */
export function readUrl({ readAddress }: Deps, text: string): ReadAddress {
  if (text.length <= MAX_URL) return readAddress(text)
  const [has, may] = [text.length, MAX_URL].map((length) => length.toLocaleString('en'))
  return { problem: `The URL has ${has} characters, and may have ${may}.` }
}

/** Parses the address, or throws `400 valid_url_required` with the problem. */
export function requireUrl(deps: Deps, text: string): URL {
  const read = readUrl(deps, text)
  if ('address' in read) return read.address
  throw new DocentError('valid_url_required', { fields: { message: read.problem } })
}

const OWN =
  'This is an address of this service itself, which it does not fetch. Add what that server answers from instead.'

type OwnDeps = Pick<OperationDeps, 'isOwnAddress'>

/** The error `400 private_source_url`, with a specific message for the service's own address. */
export function privateUrlError(deps: OwnDeps, address: URL): DocentError {
  return new DocentError('private_source_url', { fields: ownMessage(deps, [address]) })
}

/** `{message}` if one of the addresses is the service's own, otherwise an empty object. */
export function ownMessage({ isOwnAddress }: OwnDeps, addresses: readonly URL[]): { message?: string } {
  return addresses.some(isOwnAddress) ? { message: OWN } : {}
}

/** Throws `400 invalid_input` if tools are allowed for a source that is not an MCP server. */
export function refuseAllowedTools(type: SourceType, allowedTools: readonly string[]): void {
  if (sourceKind(type).hasTools || allowedTools.length === 0) return
  throw new DocentError('invalid_input', { text: 'allowedTools must be empty: only sources of type `mcp` have tools.' })
}

/**
 * The given source type, or the one suggested by the address. A repository, or a source with a credential (MCP only),
 * needs no further detection.
 */
export function typeOf(
  address: URL,
  { givenType, hasCredential }: { givenType: SourceType | undefined; hasCredential: boolean },
): { type: SourceType; isGuessed: boolean } {
  if (givenType !== undefined) return { type: givenType, isGuessed: false }
  const suggested = suggestedType(address)
  // Only MCP servers have credentials, and the address suggests nothing else.
  const isMcp = hasCredential && sourceKind(suggested).reading === 'crawl'
  const type = isMcp ? 'mcp' : suggested
  return { type, isGuessed: !sourceKind(type).isRepository && !hasCredential }
}
