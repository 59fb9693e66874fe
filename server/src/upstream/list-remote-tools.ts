import type { RemoteSession } from './remote-session.ts'

/**
 * Lists the tool names of a remote MCP server in a new session. Throws `UpstreamError`: `refused` for 401 and 403,
 * otherwise `failed`.
 */
export async function listRemoteTools(open: () => Promise<RemoteSession>): Promise<string[]> {
  await using session = await open()
  const { items } = await session.listTools()
  return items.map(({ name }) => name)
}
