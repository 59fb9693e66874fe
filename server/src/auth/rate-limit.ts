import { ACCOUNT_ENDPOINT_RATE } from '@docent/contract/account-tool'
import { MCP_RATE, type RateLimit } from '@docent/contract/rate-limit'
import { networkSteps } from '#lib/addresses/client-network.ts'
import type { Db, Store } from '#store/db.ts'
import { giveBackHit, readHit, takeHits } from '#store/accounts/rate-limits.ts'
import type { Take } from '#store/engine/local-windows.ts'
import { StoreUnavailableError } from '#store/engine/outages.ts'
import { hashSecret } from './secret.ts'

/** A store, or one transaction as both members. A transaction has no node-local windows. */
type Windows = { read: Db; write: Db } & Partial<Pick<Store, 'localWindows'>>

/** `key` is the limited resource and caller. `count` is 1 by default. */
type Request = Omit<Take, 'count'> & Partial<Pick<Take, 'count'>> & OfNetwork

/** With the caller's network, `key` is the limited resource alone, and wider IPv6 networks have windows of it too. */
export type OfNetwork = { network?: string }

/** The windows of a request, from narrow to wide: what a narrow network was refused counts nowhere else. */
function windowsOf<W extends Pick<Request, 'key' | 'limit'>>({ network, ...window }: W & OfNetwork) {
  if (network === undefined) return [window]
  const { key, limit } = window
  return networkSteps(network).map((step) => ({ ...window, key: key + step.network, limit: limit * step.times }))
}

/** Takes requests from the windows of the caller. Returns 0 if they may pass, otherwise the wait in milliseconds. */
export async function takeFromWindow(store: Windows, request: Request): Promise<number> {
  for (const window of windowsOf(request)) {
    const waitMs = await takeFromOne(store, window)
    if (waitMs > 0) return waitMs
  }
  return 0
}

/**
 * Takes requests from a sliding window. Returns 0 if they may pass, otherwise the wait in milliseconds. The window is a
 * log of allowed requests, updated in one conditional statement. It is exact at every boundary and across nodes,
 * whereas a fixed-window counter allows twice the limit around a boundary. Refused requests are not counted. If the
 * database is unavailable, this node counts alone and starts from zero.
 */
async function takeFromOne(store: Windows, request: Omit<Request, 'network'>): Promise<number> {
  const { limit, windowMs, now, count = 1 } = request
  if (count > limit) return windowMs
  const key = keyOf(request)
  try {
    if (await takeHits(store.write, { key, limit, count, now, windowMs })) return 0
    const blocking = await readHit(store.read, key, count - 1)
    return Math.max(1, (blocking ?? now) + windowMs - now)
  } catch (error) {
    if (!(error instanceof StoreUnavailableError) || !store.localWindows) throw error
    return store.localWindows.take({ key, limit, count, now, windowMs })
  }
}

/** Milliseconds until one request may pass, or 0. Takes nothing. */
export async function lookAtWindow(db: Db, request: Omit<Request, 'count'>): Promise<number> {
  const oldest = await readHit(db, keyOf(request), 0)
  return oldest === null ? 0 : Math.max(0, oldest + request.windowMs - request.now)
}

/** Returns one request to a window, for example after it failed. */
export async function giveBackToWindow(db: Db, given: Pick<Request, 'key' | 'limit'> & OfNetwork): Promise<void> {
  for (const window of windowsOf(given)) await giveBackHit(db, keyOf(window))
}

/** A different limit under the same name needs a log of a different length. */
const keyOf = ({ key, limit }: Pick<Request, 'key' | 'limit'>): string => `${key}/${limit}`

type Wanted = {
  server: { id: string; visibility: 'public' | 'private' }
  /** `accessToken` is null without a verified token. */
  caller: { address: string; accessToken: string | null }
  count: number
}

type Taken = 'ok' | { retryAfterSeconds: number; reached: RateLimit }

/** Takes requests to a hosted server from the rate limit of the caller, all or none. */
export function takeMcpRequests(store: Store, { server, caller, count }: Wanted): Promise<Taken> {
  const { address, accessToken } = caller
  const isRefused = server.visibility === 'private' && accessToken === null
  if (isRefused) return takeRefused(store, address, count)
  const key = `mcp:${server.id}:`
  if (accessToken) return take(store, key + hashSecret(accessToken), { ...MCP_RATE, count })
  return take(store, key, { ...MCP_RATE, count, network: address })
}

/** Takes requests to the account-level endpoint from the rate limit of an API key, all or none. */
export const takeAccountRequests = (store: Store, keyId: string, count: number): Promise<Taken> =>
  take(store, `account mcp:${keyId}`, { ...ACCOUNT_ENDPOINT_RATE, count })

const REFUSED_RATE: RateLimit = { ...MCP_RATE, of: 'messages without a valid credential from one address' }

/** Takes requests without a valid credential. They are limited by address alone, across all endpoints. */
export const takeRefused = (store: Store, address: string, count: number): Promise<Taken> =>
  take(store, 'mcp refused:', { ...REFUSED_RATE, count, network: address })

async function take(store: Store, key: string, rate: RateLimit & { count: number } & OfNetwork): Promise<Taken> {
  const waitMs = await takeFromWindow(store, { key, ...rate, now: store.clock() })
  return waitMs === 0 ? 'ok' : { retryAfterSeconds: Math.ceil(waitMs / 1000), reached: rate }
}
