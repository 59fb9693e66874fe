import type { SearchRequest, SearchResult } from '#search/passage.ts'
import type { ServedServer } from '#store/served.ts'

/** What a call of a hosted server's tool needs besides its arguments. */
export type ToolContext = {
  server: ServedServer
  search: (request: SearchRequest, signal?: AbortSignal) => Promise<SearchResult>
  /** Pages indexed and pages found so far, over all sources; asked only while a source is being indexed. */
  indexProgress: () => Promise<IndexProgress>
}

export type IndexProgress = { indexed: number; found: number }
