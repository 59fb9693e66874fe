import type { Client } from '@modelcontextprotocol/client'
import type { NetClient } from '#net/client.ts'
import { NetError } from '#net/net-error.ts'
import { mcpFetch } from './mcp-fetch.ts'
import { UpstreamError } from './upstream-error.ts'

/** What a remote MCP server is sent to be let in. */
export type RemoteCredential = { headerName: 'Authorization' | 'X-API-Key'; secret: string }

type Deps = { net: NetClient; version: string }
type Remote = { url: string; credential: RemoteCredential | null; signal?: AbortSignal }

/** Milliseconds for connecting, in either era, and all pages of the list. */
const TOTAL_MS = 30_000
/** A server with more tools than this is no use to anyone; one that never stops listing must not hold us up. */
const MAX_PAGES = 20

/**
 * The names of the tools that a remote MCP server lists. The credential is sent to the URL's own origin and nowhere
 * else. Throws `UpstreamError`: `refused` for 401 and 403, `failed` for everything else.
 */
export async function listRemoteTools({ net, version }: Deps, { url, credential, signal }: Remote): Promise<string[]> {
  const address = new URL(url)
  const stop = AbortSignal.any([AbortSignal.timeout(TOTAL_MS), ...(signal ? [signal] : [])])
  // Loaded when needed: most services never talk to a remote MCP server, and all of them have to start.
  const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client')
  const client = new Client({ name: 'docent', version }, { versionNegotiation: { mode: 'auto' } })
  const lastStatus: { value: number | null } = { value: null }
  const fetch = mcpFetch(net, address.origin, stop)
  const transport = new StreamableHTTPClientTransport(address, {
    fetch: async (input, init) => {
      const response = await fetch(input, init)
      lastStatus.value = response.status
      return response
    },
    requestInit: { headers: credential ? { [credential.headerName]: headerValue(credential) } : {} },
  })
  try {
    await client.connect(transport, { signal: stop, timeout: TOTAL_MS })
    return await listAll(client, stop)
  } catch (cause) {
    throw toUpstreamError(address, lastStatus.value, cause)
  } finally {
    await client.close().catch(() => {})
  }
}

async function listAll(client: Client, signal: AbortSignal): Promise<string[]> {
  const names: string[] = []
  let cursor: string | undefined
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = await client.request(
      { method: 'tools/list', params: cursor === undefined ? {} : { cursor } },
      { signal },
    )
    names.push(...answer.tools.map(({ name }) => name))
    cursor = answer.nextCursor
    if (cursor === undefined) break
  }
  return names
}

/** A bare token gets its scheme; whoever wrote a scheme, or a key for another header, gets it sent as it is. */
function headerValue({ headerName, secret }: RemoteCredential): string {
  return headerName === 'Authorization' && !secret.includes(' ') ? `Bearer ${secret}` : secret
}

/** In words of our own: those of a remote server could repeat what it was sent. */
function toUpstreamError({ host }: URL, status: number | null, cause: unknown): UpstreamError {
  if (status === 401 || status === 403) {
    return new UpstreamError('refused', `${host} refused the credential (${status}).`, { cause })
  }
  const net = findNetError(cause)
  if (net) return new UpstreamError('failed', `${host} could not be asked for its tools. ${net.message}`, { cause })
  const why = status === null || status < 400 ? 'it did not answer as an MCP server does' : `it answered ${status}`
  return new UpstreamError('failed', `${host} could not be asked for its tools: ${why}.`, { cause })
}

function findNetError(error: unknown): NetError | null {
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof NetError) return at
  return null
}
