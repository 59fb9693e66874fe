import { Buffer } from 'node:buffer'
import type { NetClient, NetResponse } from '../client.ts'
import { NetError } from '../net-error.ts'
import type { Session } from './chromium.ts'
import { decoded } from '#lib/addresses/page-address.ts'

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
const MAX_TOTAL_BYTES = 32 << 20

/** Request headers of the page that are not passed on: the browser's own, and credentials. */
const NOT_PASSED =
  /^(?:accept-encoding|connection|content-.*|cookie|host|origin|referer|sec-.*|upgrade-.*|user-agent)$/i
/** Response headers that describe the wire encoding, or make the browser store or request something. */
const NOT_ANSWERED =
  /^(?:alt-svc|connection|content-encoding|content-length|clear-site-data|keep-alive|link|nel|refresh|report-to|reporting-endpoints|set-cookie|strict-transport-security|transfer-encoding|www-authenticate)$/

export type AssetCache = ReturnType<typeof createAssetCache>

type Deps = {
  session: Session
  net: Pick<NetClient, 'fetch'>
  assets: AssetCache
  signal: AbortSignal
  frameId: string
  url: string
}

type Kind = 'refuse' | 'move' | 'page' | 'preflight' | 'style' | 'read'

/** A response for the browser, with the body as Base64. */
type Asset = { status: number; headers: { name: string; value: string }[]; body: string }

/**
 * Serves the requests of a page through the SSRF-guarded client: the page, its scripts, and the data they fetch. Style
 * sheets get an empty response, because scripts wait for them. Images, fonts, media, frames and all methods with side
 * effects are refused.
 */
export class RequestAnswerer {
  pending = 0
  /** Time of the last request or response, by `performance.now()`. */
  lastAt = performance.now()
  /** Target of a navigation that the page attempted. */
  movedTo: string | null = null
  /** Why the page itself could not be fetched. */
  failure: Error | null = null
  readonly #deps: Deps
  #requests = 0
  #bytes = 0
  #opened = false

  constructor(deps: Deps) {
    this.#deps = deps
  }

  answer(paused: PausedRequest): void {
    this.lastAt = performance.now()
    void this.#answer(paused)
  }

  async #answer(paused: PausedRequest): Promise<void> {
    const { requestId, request } = paused
    const kind = ++this.#requests > MAX_REQUESTS ? 'refuse' : this.#kindOf(paused)
    switch (kind) {
      case 'refuse':
        return this.#fail(requestId, 'BlockedByClient')
      case 'move':
        this.movedTo ??= request.url
        return this.#fail(requestId, 'Aborted')
      case 'style':
        return this.#fulfill(requestId, EMPTY_STYLE)
      case 'preflight':
        return this.#fulfill(requestId, permit(request.headers))
      default:
        return this.#read(paused, kind === 'page')
    }
  }

  // Without the page or its browser, nobody waits for the response.
  async #fail(requestId: string, errorReason: string): Promise<void> {
    await this.#deps.session.send('Fetch.failRequest', { requestId, errorReason }).catch(() => undefined)
  }

  async #fulfill(requestId: string, response: object): Promise<void> {
    await this.#deps.session.send('Fetch.fulfillRequest', { requestId, ...response }).catch(() => undefined)
  }

  async #read({ requestId, request, resourceType }: PausedRequest, main: boolean): Promise<void> {
    if (main) this.#opened = true
    this.pending++
    try {
      const { status, headers, body } = await this.#fetchAsset(request, { shared: resourceType === 'Script', main })
      await this.#fulfill(requestId, { responseCode: status, responseHeaders: headers, body })
    } catch (error) {
      if (main) this.failure = error as Error
      await this.#fail(requestId, 'BlockedByClient')
    } finally {
      this.pending--
      this.lastAt = performance.now()
    }
  }

  #kindOf({ request, resourceType, frameId }: PausedRequest): Kind {
    if (resourceType === 'Document') {
      if (frameId !== this.#deps.frameId) return 'refuse'
      return this.#opened || request.method !== 'GET' || !isSame(request.url, this.#deps.url) ? 'move' : 'page'
    }
    if (request.method === 'OPTIONS') return 'preflight'
    if (request.method !== 'GET' && request.method !== 'HEAD') return 'refuse'
    if (resourceType === 'Stylesheet') return 'style'
    return ['Script', 'XHR', 'Fetch'].includes(resourceType) ? 'read' : 'refuse'
  }

  async #fetchAsset(request: PausedRequest['request'], { shared, main }: { shared: boolean; main: boolean }) {
    const { assets, net, signal, url } = this.#deps
    const known = shared ? assets.get(request.url) : undefined
    if (known) return known
    const answered = await net.fetch(request.url, {
      method: request.method === 'HEAD' ? 'HEAD' : 'GET',
      headers: headersOf(request.headers),
      maxBytes: Math.min(MAX_ASSET_BYTES, MAX_TOTAL_BYTES - this.#bytes),
      signal,
      // The page was just fetched from this address, so a redirect now leads elsewhere.
      acceptRedirect: () => !main,
    })
    this.#bytes += answered.bytes.length
    if (main && answered.status >= 300) throw new NetError('protocol', `The site answered ${answered.status}.`, { url })
    const asset = assetOf(answered)
    const keeps = shared && answered.status === 200 && !/no-store|private/.test(answered.headers['cache-control'] ?? '')
    if (keeps) assets.set(request.url, asset)
    return asset
  }
}

function assetOf({ status, headers, bytes }: NetResponse): Asset {
  return {
    status,
    headers: Object.entries(headers)
      .filter(([name]) => !NOT_ANSWERED.test(name))
      .map(([name, value]) => ({ name, value: value.replace(/[\r\n\0]/g, ' ') })),
    body: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'),
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
  const plain = (text: string) => decoded(text.replace(/#.*/s, ''))
  return one === other || plain(one) === plain(other)
}

function headersOf(given: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(given).filter(([name]) => !NOT_PASSED.test(name)))
}

const MAX_CHARACTERS = 24 << 20
const KEEP_MS = 5 * 60_000

type Options = { maxCharacters?: number; keepMs?: number; now?: () => number }

/** Caches scripts by address. Evicts the least recently used, and everything older than some minutes. */
export function createAssetCache({ maxCharacters = MAX_CHARACTERS, keepMs = KEEP_MS, now = Date.now }: Options = {}) {
  const known = new Map<string, { asset: Asset; until: number }>()
  return {
    get(url: string): Asset | undefined {
      const entry = known.get(url)
      known.delete(url)
      if (entry === undefined || entry.until <= now()) return undefined
      known.set(url, entry)
      return entry.asset
    },
    set(url: string, asset: Asset): void {
      known.delete(url)
      known.set(url, { asset, until: now() + keepMs })
      let characters = 0
      for (const [other, entry] of [...known].toReversed()) {
        characters += entry.asset.body.length
        if (characters > maxCharacters) known.delete(other)
      }
    },
  }
}
