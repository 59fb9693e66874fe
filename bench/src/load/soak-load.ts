import { Agent, request, type RequestOptions } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { MCP_HEADERS, searchCall } from '#service/docent-client.ts'
import type { ServiceProcess } from '#service/start-service.ts'
import { type SoakSite, startSoakSite, words } from './soak-site.ts'
import { type Random, seededRandom } from '#lib/typo.ts'

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
  const client = new CountingClient(service)
  const random = seededRandom(5)
  const servers = new SoakServers(client, random)
  for (let at = 0; at < SERVERS; at++) await servers.create()
  const mix = new RequestMix(client, servers, random)
  const schedule = new Schedule((name) => client.count(name))
  schedule.every(1_000 / requestsPerSecond, 'request', () => mix.send(schedule.over))
  schedule.every(CRAWL_EVERY_MS, 'crawl', (turn) => servers.crawl(turn))
  schedule.every(REPLACE_EVERY_MS, 'replace', () => servers.replace())
  return {
    counts: client.counts,
    async [Symbol.asyncDispose]() {
      await schedule.stop()
      client.close()
      await servers.stop()
    },
  }
}

/** Sends requests and counts the answers. */
class CountingClient {
  readonly counts: Record<string, number> = {}
  readonly #service: ServiceProcess
  readonly #agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })

  constructor(service: ServiceProcess) {
    this.#service = service
  }

  count(name: string): void {
    this.counts[name] = (this.counts[name] ?? 0) + 1
  }

  async send(kind: string, method: string, path: string, body?: object, how: How = {}): Promise<string> {
    const headers = { ...MCP_HEADERS, authorization: `Bearer ${this.#service.key}` }
    const options = { method, headers, agent: how.isFresh ? (false as const) : this.#agent }
    try {
      const answer = await exchange(
        this.#service.url + path,
        { ...options, ...(how.signal ? { signal: how.signal } : {}) },
        body,
      )
      this.count(`${kind} ${answer.text.includes('"isError":true') ? 'tool error' : answer.status}`)
      return answer.text
    } catch (error) {
      if (!how.signal?.aborted) throw error
      this.count(`${kind} aborted`)
      return ''
    }
  }

  close(): void {
    this.#agent.destroy()
  }
}

/** The servers that exist now, oldest first, with their sites. */
class SoakServers {
  readonly #client: CountingClient
  readonly #random: Random
  readonly #hosted: Hosted[] = []
  #made = 0

  constructor(client: CountingClient, random: Random) {
    this.#client = client
    this.#random = random
  }

  any(): Hosted | undefined {
    return this.#hosted[this.#random(this.#hosted.length)]
  }

  async create(): Promise<void> {
    const site = await startSoakSite(this.#made++)
    const body = { name: `Soak ${this.#made}`, sources: [{ url: site.url }], tools: TOOLS }
    const answer = await this.#client.send('create', 'POST', '/api/mcp/create', body)
    const { serverId, slug } = JSON.parse(answer) as Partial<Hosted>
    if (!serverId || !slug) return site[Symbol.asyncDispose]()
    this.#hosted.push({ serverId, slug, site })
  }

  async replace(): Promise<void> {
    await this.create()
    const oldest = this.#hosted.shift()
    if (!oldest) return
    await this.#client.send('delete', 'DELETE', `/api/mcp/${oldest.serverId}`)
    await oldest.site[Symbol.asyncDispose]()
  }

  async crawl(turn: number): Promise<void> {
    const one = this.any()
    if (!one) return
    if (turn % 2 === 0) one.site.change()
    await this.#client.send('crawl', 'POST', '/api/mcp/crawl', { serverId: one.serverId })
  }

  async stop(): Promise<void> {
    for (const { site } of this.#hosted) await site[Symbol.asyncDispose]()
  }
}

/** Requests per hundred: 55 searches, 14 other tools, 8 answers and so on. */
class RequestMix {
  readonly #client: CountingClient
  readonly #servers: SoakServers
  readonly #random: Random

  constructor(client: CountingClient, servers: SoakServers, random: Random) {
    this.#client = client
    this.#servers = servers
    this.#random = random
  }

  /** Sends one request of the mix. `over` ends an event stream. */
  async send(over: AbortSignal): Promise<unknown> {
    const { slug, serverId } = this.#servers.any() ?? { slug: '', serverId: '' }
    const random = this.#random
    const path = `/api/mcp/${slug}`
    const query = words(random, 2 + random(5))
    const die = random(100)
    if (die < 82) return this.#client.send(...toolRequest(die, path, query, () => words(random, 1)))
    if (die < 91) return this.#client.send(...apiRequest(die, serverId))
    if (die < 95) {
      const unknown = `/api/mcp/unknown-${random(1_000_000)}`
      return this.#client.send('unknown', 'POST', unknown, LIST_TOOLS, { isFresh: true })
    }
    if (die < 99) {
      const signal = AbortSignal.timeout(1 + random(LEAVE_MS))
      return this.#client.send('left', 'POST', path, searchCall(query, 5), { isFresh: true, signal })
    }
    const signal = AbortSignal.any([over, AbortSignal.timeout(random(STREAM_MS))])
    return this.#client.send('events', 'GET', '/api/events', undefined, { isFresh: true, signal })
  }
}

type Request = [kind: string, method: string, path: string, body?: object]

const LIST_TOOLS = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

function toolRequest(die: number, path: string, query: string, name: () => string): Request {
  if (die < 55) return ['search', 'POST', path, searchCall(query, 5)]
  if (die < 60) return ['examples', 'POST', path, call('get_code_examples', { query })]
  if (die < 64) return ['reference', 'POST', path, call('find_api_reference', { name: name() })]
  if (die < 67) return ['quickstart', 'POST', path, call('get_quickstart', {})]
  if (die < 69) return ['summary', 'POST', path, call('summarize_content', { topic: query })]
  if (die < 77) return ['answer', 'POST', path, call('ask_question', { question: `How do I ${query}?` })]
  return ['list tools', 'POST', path, LIST_TOOLS]
}

function apiRequest(die: number, serverId: string): Request {
  if (die < 85) return ['server', 'GET', `/api/mcp/${serverId}`]
  if (die < 87) return ['servers', 'GET', '/api/mcp/list']
  if (die < 89) return ['progress', 'GET', `/api/mcp/${serverId}/crawl-next`]
  return ['analytics', 'GET', `/api/analytics/${serverId}/summary`]
}

function call(name: string, args: object): object {
  return { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
}

/** Starts work at fixed intervals, whether earlier work has ended or not. */
class Schedule {
  readonly #over = new AbortController()
  readonly #onFailure: (message: string) => void
  readonly #lanes: Promise<void>[] = []
  readonly #open = new Set<Promise<void>>()

  constructor(onFailure: (message: string) => void) {
    this.#onFailure = onFailure
  }

  /** Aborts when the schedule stops. */
  get over(): AbortSignal {
    return this.#over.signal
  }

  every(ms: number, kind: string, work: (turn: number) => Promise<unknown>): void {
    this.#lanes.push(this.#repeat(ms, kind, work))
  }

  /** Resolves when all work has ended. */
  async stop(): Promise<void> {
    this.#over.abort()
    await Promise.all(this.#lanes)
    await Promise.all(this.#open)
  }

  async #repeat(ms: number, kind: string, work: (turn: number) => Promise<unknown>): Promise<void> {
    const started = performance.now()
    for (let turn = 0; !this.over.aborted; turn++) {
      this.#track(work(turn), kind)
      const wait = Math.max(0, started + (turn + 1) * ms - performance.now())
      await sleep(wait, undefined, { signal: this.over }).catch(() => {})
    }
  }

  #track(work: Promise<unknown>, kind: string): void {
    const tracked = work
      .catch((error: unknown) => this.#onFailure(`${kind} failed: ${String(error)}`))
      .then(() => void this.#open.delete(tracked))
    this.#open.add(tracked)
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
