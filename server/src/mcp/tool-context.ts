import type { SearchRequest, SearchResult } from '#search/passage.ts'
import type { ServedServer, ServedSource } from '#store/served.ts'
import type { RemoteSession } from '#upstream/remote-session.ts'

/** What a call of a hosted server's tool needs besides its arguments. */
export type ToolContext = {
  server: ServedServer
  search: (request: SearchRequest, signal?: AbortSignal) => Promise<SearchResult>
  /** Connects to a source of the kind `mcp`. Throws `UpstreamError`, as do the session's answers. */
  connectRemote: (source: ServedSource, signal?: AbortSignal) => Promise<RemoteSession>
}
