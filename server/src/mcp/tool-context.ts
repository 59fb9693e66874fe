import type { ChatModel } from '#models/chat-model.ts'
import type { Library } from '#library/library.ts'
import type { SearchRequest, SearchResult } from '#search/passage.ts'
import type { ServedServer, ServedSource } from '#store/served.ts'
import type { RemoteSession } from '#upstream/remote-session.ts'

/** What a call of a hosted server's tool needs besides its arguments. */
export type ToolContext = {
  server: ServedServer
  search: (request: SearchRequest, signal?: AbortSignal) => Promise<SearchResult>
  /** What writes answers; null: they are put together from the sources' own sentences. */
  model: ChatModel | null
  /** Hears of what went wrong without the call having failed. Must not throw. */
  reportFailure: (error: unknown) => void
  /** The pages of its sources as wholes. */
  library: Library
  /** Connects to a source of the kind `mcp`. Throws `UpstreamError`, as do the session's answers. */
  connectRemote: (source: ServedSource, signal?: AbortSignal) => Promise<RemoteSession>
}
