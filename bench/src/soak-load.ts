import { Agent, request, type RequestOptions } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { MCP_HEADERS, searchCall } from './docent-client.ts'
import type { ServiceProcess } from './start-service.ts'
import { type SoakSite, startSoakSite, words } from './soak-site.ts'
import { seededRandom } from './typo.ts'

export type SoakLoad = AsyncDisposable & {
  /** Answers by kind of request and status; `aborted` if the client left. */
  counts: Readonly<Record<string, number>>
}

/** `isFresh`: opens a new connection. `signal`: ends the request. */
type How = { isFresh?: boolean; signal?: AbortSignal }

type Hosted = { serverId: string; slug: string; site: SoakSite }

/** Kept connections; event streams have others. */
const CONNECTIONS = 32
/** Servers that exist at the same time. */
const SERVERS = 20
/** Milliseconds between creations, each with the deletion of the oldest server. */
const REPLACE_EVERY_MS = 10_000
/** Milliseconds between crawls, which alternate between a changed and an unchanged site. */
const CRAWL_EVERY_MS = 5_000
const TOOLS = [
  'search_docs',
  'ask_question',
  'get_code_examples',
  'find_api_reference',
  'summarize_content',
  'get_quickstart',
]
const STREAM_MS = 5_000
const LEAVE_MS = 10

/**
 * Mixed requests at a fixed rate against the service, open loop: requests do not wait for earlier answers. Meanwhile
 * servers are created, crawled and deleted.
 */
export async function startSoakLoad(service: ServiceProcess, requestsPerSecond: number): Promise<SoakLoad> {
  const counts: Record<string, number> = {}
  const over = new AbortController()
  const random = seededRandom(5)
  const hosted: Hosted[] = []
  const open = new Set<Promise<void>>()
  let made = 0

  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const send = async (kind: string, method: string, path: string, body?: object, how: How = {}) => {
    const headers = { ...MCP_HEADERS, authorization: `Bearer ${service.key}` }
    const options = { method, headers, agent: how.isFresh ? (false as const) : agent }
    try {
      const answer = await exchange(
        service.url + path,
        { ...options, ...(how.signal ? { signal: how.signal } : {}) },
        body,
      )
      count(`${kind} ${answer.text.includes('"isError":true') ? 'tool error' : answer.status}`)
      return answer.text
    } catch (error) {
      if (!how.signal?.aborted) throw error
      count(`${kind} aborted`)
      return ''
    }
  }
  const count = (name: string) => void (counts[name] = (counts[name] ?? 0) + 1)
  const call = (name: string, args: object) => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: args },
  })
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

  const create = async () => {
    const site = await startSoakSite(made++)
    const body = { name: `Soak ${made}`, sources: [{ url: site.url }], tools: TOOLS }
    const answer = await send('create', 'POST', '/api/mcp/create', body)
    const { serverId, slug } = JSON.parse(answer) as Partial<Hosted>
    if (!serverId || !slug) return site[Symbol.asyncDispose]()
    hosted.push({ serverId, slug, site })
  }
  const remove = async () => {
    const oldest = hosted.shift()
    if (!oldest) return
    await send('delete', 'DELETE', `/api/mcp/${oldest.serverId}`)
    await oldest.site[Symbol.asyncDispose]()
  }
  const crawl = async (turn: number) => {
    const one = hosted[random(hosted.length)]
    if (!one) return
    if (turn % 2 === 0) one.site.change()
    await send('crawl', 'POST', '/api/mcp/crawl', { serverId: one.serverId })
  }

  /** One request of the mix: per hundred, 55 searches, 14 other tools, 8 answers and so on. */
  const one = async (): Promise<unknown> => {
    const { slug, serverId } = hosted[random(hosted.length)] ?? { slug: '', serverId: '' }
    const path = `/api/mcp/${slug}`
    const query = words(random, 2 + random(5))
    const die = random(100)
    if (die < 55) return send('search', 'POST', path, searchCall(query, 5))
    if (die < 60) return send('examples', 'POST', path, call('get_code_examples', { query }))
    if (die < 64) return send('reference', 'POST', path, call('find_api_reference', { name: words(random, 1) }))
    if (die < 67) return send('quickstart', 'POST', path, call('get_quickstart', {}))
    if (die < 69) return send('summary', 'POST', path, call('summarize_content', { topic: query }))
    if (die < 77) return send('answer', 'POST', path, call('ask_question', { question: `How do I ${query}?` }))
    if (die < 82) return send('list tools', 'POST', path, list)
    if (die < 85) return send('server', 'GET', `/api/mcp/${serverId}`)
    if (die < 87) return send('servers', 'GET', '/api/mcp/list')
    if (die < 89) return send('progress', 'GET', `/api/mcp/${serverId}/crawl-next`)
    if (die < 91) return send('analytics', 'GET', `/api/analytics/${serverId}/summary`)
    if (die < 95) return send('unknown', 'POST', `/api/mcp/unknown-${random(1_000_000)}`, list, { isFresh: true })
    if (die < 99)
      return send('left', 'POST', path, searchCall(query, 5), {
        isFresh: true,
        signal: AbortSignal.timeout(1 + random(LEAVE_MS)),
      })
    const signal = AbortSignal.any([over.signal, AbortSignal.timeout(random(STREAM_MS))])
    return send('events', 'GET', '/api/events', undefined, { isFresh: true, signal })
  }

  const track = (work: Promise<unknown>, kind: string) => {
    const tracked = work
      .catch((error: unknown) => count(`${kind} failed: ${String(error)}`))
      .then(() => void open.delete(tracked))
    open.add(tracked)
  }
  const every = async (ms: number, kind: string, work: (turn: number) => Promise<unknown>) => {
    const started = performance.now()
    for (let turn = 0; !over.signal.aborted; turn++) {
      track(work(turn), kind)
      await sleep(Math.max(0, started + (turn + 1) * ms - performance.now()), undefined, { signal: over.signal }).catch(
        () => {},
      )
    }
  }

  for (let at = 0; at < SERVERS; at++) await create()
  const replace = async () => {
    await create()
    await remove()
  }
  const lanes = [
    every(1_000 / requestsPerSecond, 'request', one),
    every(CRAWL_EVERY_MS, 'crawl', crawl),
    every(REPLACE_EVERY_MS, 'replace', replace),
  ]
  return {
    counts,
    async [Symbol.asyncDispose]() {
      over.abort()
      await Promise.all(lanes)
      await Promise.all(open)
      agent.destroy()
      for (const { site } of hosted) await site[Symbol.asyncDispose]()
    },
  }
}

async function exchange(
  url: string,
  options: RequestOptions,
  body?: object,
): Promise<{ status: number; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>()
  const sent = request(url, options, (response) => {
    text(response).then((all) => resolve({ status: response.statusCode ?? 0, text: all }), reject)
  })
  sent.on('error', reject)
  sent.end(body && JSON.stringify(body))
  return promise
}
