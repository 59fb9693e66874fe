import { hash } from 'node:crypto'
import type { CallRecord } from './endpoint.ts'
import { isObject } from './is-object.ts'
import { bearerOf, type McpRequest } from './request.ts'

/** A client's own name and version. */
export type ClientInfo = NonNullable<CallRecord['client']>

/** Legacy clients by their `initialize` request, which later calls do not repeat. */
export type KnownClients = {
  remember(serverId: string, request: McpRequest, client: ClientInfo): void
  find(serverId: string, request: McpRequest): ClientInfo | null
}

/** Covers an agent session: a working day and the night. */
const KEPT_MS = 24 * 60 * 60 * 1000
/** Age at which a used entry is renewed. Renewal with every call would rewrite the map all the time (see `RecordMap`). */
const RENEWED_MS = 60 * 60 * 1000
/** About 3 MB: a key has 43 characters, a name and version at most 120. */
const KEPT = 10_000

/**
 * Remembers the clients of this node by server, access token, address and User-Agent, for 24 hours after their last
 * request, to the hour. Clients that share all of these are indistinguishable and count as the latest one.
 */
export function createKnownClients(clock: () => number): KnownClients {
  const clients = new Map<string, { client: ClientInfo; at: number }>()

  /** Insert as the newest entry, so that the oldest come first. */
  const put = (key: string, client: ClientInfo) => {
    clients.delete(key)
    clients.set(key, { client, at: clock() })
    const [oldest] = clients.keys()
    if (clients.size > KEPT && oldest !== undefined) clients.delete(oldest)
  }

  return {
    remember: (serverId, request, client) => put(keyOf(serverId, request), client),
    find(serverId, request) {
      const key = keyOf(serverId, request)
      const known = clients.get(key)
      if (known === undefined) return null
      if (clock() - known.at >= KEPT_MS) {
        clients.delete(key)
        return null
      }
      if (clock() - known.at >= RENEWED_MS) put(key, known.client)
      return known.client
    },
  }
}

/** A digest, so that long headers use no memory and tokens are not stored. */
function keyOf(serverId: string, { headers, address }: McpRequest): string {
  const parts = [serverId, bearerOf(headers), address, headers.get('user-agent')]
  return hash('sha256', JSON.stringify(parts), 'base64url')
}

/** Reads a client from `clientInfo`, clipped for display. Null without a name. */
export function readClientInfo(info: unknown): ClientInfo | null {
  if (!isObject(info) || typeof info['name'] !== 'string' || info['name'] === '') return null
  const version = info['version']
  return { name: info['name'].slice(0, 80), version: typeof version === 'string' ? version.slice(0, 40) : null }
}
