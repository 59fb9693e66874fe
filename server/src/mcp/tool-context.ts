import type { SearchRequest, SearchResult } from '#search/passage.ts'
import type { ServedServer } from '#store/served.ts'

/** What a call of a hosted server's tool needs besides its arguments. */
export type ToolContext = {
  server: ServedServer
  search: (request: SearchRequest, signal?: AbortSignal) => Promise<SearchResult>
}
