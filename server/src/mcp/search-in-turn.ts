import { setImmediate as turn } from 'node:timers/promises'
import type { SearchRequest, SearchResult } from '#search/passage.ts'
import type { ToolContext } from './tool-context.ts'

/**
 * The search of a tool that has more to do with what it finds than to show it. Other requests get their turn in between:
 * both together would hold them up for twice as long.
 */
export async function searchInTurn(
  { search }: Pick<ToolContext, 'search'>,
  request: SearchRequest,
  signal?: AbortSignal,
): Promise<SearchResult> {
  const found = await search(request, signal)
  await turn()
  return found
}
