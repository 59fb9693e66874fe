import { type Remote, type RemoteDeps, connectRemoteMcp } from './connect-remote-mcp.ts'

/**
 * The names of the tools that a remote MCP server lists. Throws `UpstreamError`: `refused` for 401 and 403, `failed` for
 * everything else.
 */
export async function listRemoteTools(deps: RemoteDeps, remote: Remote): Promise<string[]> {
  await using session = await connectRemoteMcp(deps, remote)
  const { items } = await session.listTools()
  return items.map(({ name }) => name)
}
