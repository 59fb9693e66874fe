import { DocentError } from '#errors.ts'
import type { ServedSource } from '#store/servers/served.ts'
import type { RemoteSession } from '#upstream/remote-session.ts'
import { UpstreamError } from '#upstream/upstream-error.ts'
import type { ToolContext } from '#mcp/definition/tool.ts'
import { ToolError } from '#mcp/definition/tool-error.ts'

/** Queries a remote MCP server live. Remote errors and a disconnected caller become tool failures with a message. */
export async function askRemote<T>(
  { connectRemote }: ToolContext,
  source: ServedSource,
  { ask, signal }: { ask: (session: RemoteSession) => Promise<T>; signal: AbortSignal | undefined },
): Promise<T> {
  try {
    await using session = await connectRemote(source, signal)
    return await ask(session)
  } catch (error) {
    if (signal?.aborted) throw new ToolError('failed', 'The caller left before the answer came.')
    if (error instanceof UpstreamError || (error instanceof DocentError && error.code === 'credentials_unavailable')) {
      throw new ToolError('failed', error.message)
    }
    throw error
  }
}
