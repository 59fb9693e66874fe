import type { RemoteSession } from './remote-session.ts'

/**
 * The names of the tools that a remote MCP server lists, in a session that is opened for it. Throws `UpstreamError`:
 * `refused` for 401 and 403, `failed` for everything else.
 */
export async function listRemoteTools(open: () => Promise<RemoteSession>): Promise<string[]> {
  await using session = await open()
  const { items } = await session.listTools()
  return items.map(({ name }) => name)
}
