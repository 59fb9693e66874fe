import { ACCOUNT_ENDPOINT_RATE } from '@docent/contract/account-tool'
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

/** `ok`, or the time until the requests would pass. */
type Taken = 'ok' | { retryAfterSeconds: number }

/** Takes requests to a hosted server from the rate limit of the caller, all or none. */
export async function takeMcpRequests(
  store: Store,
  { server, caller: { address, accessToken }, count }: Wanted,
): Promise<Taken> {
  const isRefused = server.visibility === 'private' && accessToken === null
  if (isRefused) return takeRefused(store, address, count)
  return take(store, `mcp:${server.id}:${accessToken ? hashSecret(accessToken) : address}`, { ...MCP_RATE, count })
}

/** Takes requests to the account-level endpoint from the rate limit of an API key, all or none. */
export async function takeAccountRequests(store: Store, keyId: string, count: number): Promise<Taken> {
  return take(store, `account mcp:${keyId}`, { ...ACCOUNT_ENDPOINT_RATE, count })
}

/** Takes requests without a valid credential. They are limited by address alone, across all endpoints. */
export async function takeRefused(store: Store, address: string, count: number): Promise<Taken> {
  return take(store, `mcp refused:${address}`, { ...MCP_RATE, count })
}

type Rate = { limit: number; windowMs: number; count: number }

async function take(store: Store, key: string, rate: Rate): Promise<Taken> {
  const waitMs = await takeFromWindow(store, { key, ...rate, now: store.clock() })
  return waitMs === 0 ? 'ok' : { retryAfterSeconds: Math.ceil(waitMs / 1000) }
}
