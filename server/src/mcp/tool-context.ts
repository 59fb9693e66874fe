import type { ChatModel } from '#models/chat-model.ts'
import type { Library, Search } from '#library/library.ts'
import type { ServedServer, ServedSource } from '#store/servers/served.ts'
import type { RemoteSession } from '#upstream/remote-session.ts'

/** Dependencies of a tool call on a hosted server, besides its arguments. */
export type ToolContext = {
  server: ServedServer
  search: Search
  /** The model that writes answers. Null: answers consist of sentences from the sources. */
  model: ChatModel | null
  /** Called with errors that did not fail the call. Must not throw. */
  reportFailure: (error: unknown) => void
  /** Access to whole pages of the sources. */
  library: Library
  /** Connects to a source of kind `mcp`. This and the session's methods throw `UpstreamError`. */
  connectRemote: (source: ServedSource, signal?: AbortSignal) => Promise<RemoteSession>
}
