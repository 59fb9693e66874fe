import type { Store } from '#store/db.ts'
import { takeFromWindow } from './rate-limit.ts'
import { hashSecret } from './secret.ts'

/** The contract's limit for `POST /api/mcp/{id}`, per server and caller. */
const MCP_RATE = { limit: 200, windowMs: 60_000 }

type Wanted = {
  server: { id: string; visibility: 'public' | 'private' }
  /** `accessToken` is null without a verified token. */
  caller: { address: string; accessToken: string | null }
  count: number
}

/** Takes requests to a hosted server from the rate limit of the caller, all or none. */
export async function takeMcpRequests(
  store: Store,
  { server, caller: { address, accessToken }, count }: Wanted,
): Promise<'ok' | { retryAfterSeconds: number }> {
  // Rejected callers of private servers are limited by address alone, across all servers.
  const isRefused = server.visibility === 'private' && accessToken === null
  const key = isRefused
    ? `mcp refused:${address}`
    : `mcp:${server.id}:${accessToken ? hashSecret(accessToken) : address}`
  const waitMs = await takeFromWindow(store, { key, ...MCP_RATE, now: store.clock(), count })
  return waitMs === 0 ? 'ok' : { retryAfterSeconds: Math.ceil(waitMs / 1000) }
}
