import { hash } from 'node:crypto'
import type { SharedClients } from '#store/engine/shared-clients.ts'
import type { CallRecord } from './endpoint.ts'
import { bearerOf, type McpRequest } from '../protocol/message.ts'
import { isObject, rememberRecent } from '#lib/objects.ts'

/** A client's own name and version. */
export type ClientInfo = NonNullable<CallRecord['client']>

/** Legacy clients by their `initialize` request, which later calls do not repeat. */
export type KnownClients = ReturnType<typeof createKnownClients>

type Deps = {
  clock: () => number
  /** Clients that other nodes know. Null if there are no others. */
  shared?: SharedClients | null
  /** Called with errors of `shared`, which only cost the log a name. */
  onError?: (error: unknown) => void
}

/** Covers an agent session: a working day and the night. */
export const CLIENT_KEPT_MS = 24 * 60 * 60 * 1000
/** Age at which a used entry is renewed. Renewal with every call would rewrite the map all the time (see `RecordMap`). */
const RENEWED_MS = 60 * 60 * 1000
/** A caller that no node knows is looked up again after this time. */
const UNKNOWN_MS = 60_000
/** About 3 MB: a key has 43 characters, a name and version at most 120. */
const KEPT = 10_000

/** Null for a caller that no node knows. */
type Entry = { client: ClientInfo | null; at: number }

/**
 * Remembers the clients of this node by server, access token, address and User-Agent, for 24 hours after their last
 * request, to the hour. Clients that share all of these are indistinguishable and count as the latest one. Other nodes
 * are asked about unknown callers once a minute, and about known ones once an hour. Neither method rejects.
 */
export function createKnownClients({ clock, shared = null, onError }: Deps) {
  const clients = new Map<string, Entry>()

  const put = (key: string, client: ClientInfo | null) => rememberRecent(clients, key, { client, at: clock() }, KEPT)

  /** Asks the other nodes. `last` is the client that this node knows: another may know a later one. */
  const ask = async (key: string, last: ClientInfo | null, among: SharedClients) => {
    // Concurrent calls of the same caller do not ask as well.
    put(key, last)
    try {
      const now = clock()
      const found = await among.use(key, { after: now - CLIENT_KEPT_MS, now })
      if (found) put(key, found)
      else if (last) await among.save(key, last, now)
      return found ?? last
    } catch (error) {
      onError?.(error)
      return last
    }
  }

  return {
    remember(serverId: string, request: McpRequest, client: ClientInfo): void | Promise<void> {
      const key = keyOf(serverId, request)
      const known = clients.get(key)
      const isFresh = known !== undefined && clock() - known.at < RENEWED_MS
      const isSame = known?.client?.name === client.name && known.client.version === client.version
      if (shared !== null && isFresh && isSame) return undefined
      put(key, client)
      return shared?.save(key, client, clock()).catch((error: unknown) => onError?.(error))
    },
    find(serverId: string, request: McpRequest): ClientInfo | null | Promise<ClientInfo | null> {
      const key = keyOf(serverId, request)
      const known = clients.get(key)
      const age = known === undefined ? Infinity : clock() - known.at
      if (known && age < (known.client === null ? UNKNOWN_MS : RENEWED_MS)) return known.client
      const last = known !== undefined && age < CLIENT_KEPT_MS ? known.client : null
      if (shared !== null) return ask(key, last, shared)
      if (last) put(key, last)
      else clients.delete(key)
      return last
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
  return { name: clip(info['name'], 80), version: typeof version === 'string' ? clip(version, 40) : null }
}

/** PostgreSQL's texts hold no NUL. */
const clip = (text: string, length: number): string => text.slice(0, length).replaceAll('\0', '\uFFFD')
