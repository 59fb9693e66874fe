import { sourceKind, suggestedType } from '@docent/contract/values/source-kinds'
import type { SourceType } from '@docent/contract/values/sources'

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
