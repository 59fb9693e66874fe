import { Buffer } from 'node:buffer'
import type { NetClient } from '../client.ts'
import { NetError } from '../net-error.ts'
import type { Asset, AssetCache } from './asset-cache.ts'
import type { Session } from './chromium.ts'

/** A request of the page that waits for our response (Fetch.requestPaused). */
export type PausedRequest = {
  requestId: string
  request: { url: string; method: string; headers: Record<string, string> }
  resourceType: string
  frameId: string
}

/** Maximum requests per page. The heaviest applications make about a hundred. */
const MAX_REQUESTS = 400
const MAX_ASSET_BYTES = 8 << 20
/** Maximum bytes per page over all requests. */
const MAX_TOTAL_BYTES = 32 << 20

/** Request headers of the page that are not passed on: the browser's own, and credentials. */
const NOT_PASSED =
  /^(?:accept-encoding|connection|content-.*|cookie|host|origin|referer|sec-.*|upgrade-.*|user-agent)$/i
/** Response headers that describe the wire encoding, or make the browser store or request something. */
const NOT_ANSWERED =
  /^(?:alt-svc|connection|content-encoding|content-length|clear-site-data|keep-alive|link|nel|refresh|report-to|reporting-endpoints|set-cookie|strict-transport-security|transfer-encoding|www-authenticate)$/

type Deps = {
  session: Session
  net: Pick<NetClient, 'fetch'>
  assets: AssetCache
  signal: AbortSignal
  /** Id of the main frame. */
  frameId: string
  url: string
}

export type Answerer = {
  answer(paused: PausedRequest): void
  /** Unanswered requests. */
  readonly pending: number
  /** Time of the last request or response, by `performance.now()`. */
  readonly lastAt: number
  /** Target of a navigation that the page attempted. */
  readonly movedTo: string | null
  /** Why the page itself could not be fetched. */
  readonly failure: Error | null
}

/**
 * Serves the requests of a page through the SSRF-guarded client: the page, its scripts, and the data they fetch. Style
 * sheets get an empty response, because scripts wait for them. Images, fonts, media, frames and all methods with side
 * effects are refused.
 */
export function answerRequests({ session, net, assets, signal, frameId, url }: Deps): Answerer {
  let pending = 0
  let lastAt = performance.now()
  let requests = 0
  let bytes = 0
  let opened = false
  let movedTo: string | null = null
  let failure: Error | null = null

  const answer = async (paused: PausedRequest): Promise<void> => {
    const { requestId, request, resourceType } = paused
    const kind = ++requests > MAX_REQUESTS ? 'refuse' : kindOf(paused)
    // The page or its browser is gone, so nobody waits for the response.
    const tell = (method: 'Fetch.failRequest' | 'Fetch.fulfillRequest', params: object) =>
      session.send(method, { requestId, ...params }).catch(() => undefined)
    const refuse = () => tell('Fetch.failRequest', { errorReason: 'BlockedByClient' })
    if (kind === 'refuse') return void (await refuse())
    if (kind === 'move') {
      movedTo ??= request.url
      return void (await tell('Fetch.failRequest', { errorReason: 'Aborted' }))
    }
    if (kind === 'style') return void (await tell('Fetch.fulfillRequest', EMPTY_STYLE))
    if (kind === 'preflight') return void (await tell('Fetch.fulfillRequest', permit(request.headers)))
    const main = kind === 'page'
    if (main) opened = true
    pending++
    try {
      const { status, headers, body } = await fetchAsset(request, { shared: resourceType === 'Script', main })
      await tell('Fetch.fulfillRequest', { responseCode: status, responseHeaders: headers, body })
    } catch (error) {
      if (main) failure = error as Error
      await refuse()
    } finally {
      pending--
      lastAt = performance.now()
    }
  }

  function kindOf({ request, resourceType, frameId: frame }: PausedRequest) {
    if (resourceType === 'Document') {
      if (frame !== frameId) return 'refuse'
      return opened || request.method !== 'GET' || !isSame(request.url, url) ? 'move' : 'page'
    }
    if (request.method === 'OPTIONS') return 'preflight'
    if (request.method !== 'GET' && request.method !== 'HEAD') return 'refuse'
    if (resourceType === 'Stylesheet') return 'style'
    return ['Script', 'XHR', 'Fetch'].includes(resourceType) ? 'read' : 'refuse'
  }

  async function fetchAsset(
    request: PausedRequest['request'],
    { shared, main }: { shared: boolean; main: boolean },
  ): Promise<Asset> {
    const known = shared ? assets.get(request.url) : undefined
    if (known) return known
    const answered = await net.fetch(request.url, {
      method: request.method === 'HEAD' ? 'HEAD' : 'GET',
      headers: headersOf(request.headers),
      maxBytes: Math.min(MAX_ASSET_BYTES, MAX_TOTAL_BYTES - bytes),
      signal,
      // The page was just fetched from this address, so a redirect now leads elsewhere.
      acceptRedirect: () => !main,
    })
    bytes += answered.bytes.length
    if (main && answered.status >= 300) throw new NetError('protocol', `The site answered ${answered.status}.`, { url })
    const asset = {
      status: answered.status,
      headers: Object.entries(answered.headers)
        .filter(([name]) => !NOT_ANSWERED.test(name))
        .map(([name, value]) => ({ name, value: value.replace(/[\r\n\0]/g, ' ') })),
      body: Buffer.from(answered.bytes.buffer, answered.bytes.byteOffset, answered.bytes.byteLength).toString('base64'),
    }
    const keeps = shared && answered.status === 200 && !/no-store|private/.test(answered.headers['cache-control'] ?? '')
    if (keeps) assets.set(request.url, asset)
    return asset
  }

  return {
    answer(paused) {
      lastAt = performance.now()
      void answer(paused)
    },
    get pending() {
      return pending
    },
    get lastAt() {
      return lastAt
    },
    get movedTo() {
      return movedTo
    },
    get failure() {
      return failure
    },
  }
}

const EMPTY_STYLE = {
  responseCode: 200,
  responseHeaders: [
    { name: 'content-type', value: 'text/css' },
    { name: 'access-control-allow-origin', value: '*' },
  ],
  body: '',
}

/** Answers a CORS preflight. The request itself is still a GET. */
function permit(headers: Record<string, string>) {
  const asked = (name: string) => headers[name] ?? headers[name.toLowerCase()] ?? '*'
  return {
    responseCode: 204,
    responseHeaders: [
      { name: 'access-control-allow-origin', value: asked('Origin') },
      { name: 'access-control-allow-credentials', value: 'true' },
      { name: 'access-control-allow-methods', value: 'GET, HEAD' },
      { name: 'access-control-allow-headers', value: asked('Access-Control-Request-Headers') },
    ],
  }
}

/** Ignores harmless differences between the browser's URL serialization and ours. */
function isSame(one: string, other: string): boolean {
  const plain = (text: string) => {
    try {
      return decodeURIComponent(text.replace(/#.*/s, ''))
    } catch {
      return text
    }
  }
  return one === other || plain(one) === plain(other)
}

function headersOf(given: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(given).filter(([name]) => !NOT_PASSED.test(name)))
}
