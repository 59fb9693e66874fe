import { setTimeout as sleep } from 'node:timers/promises'
import { createAccount, createKey } from '#auth/accounts.ts'
import { type Config, loadConfig, loadSecrets } from '#config.ts'
import { startService } from '#main.ts'
import type { Store } from '#store/db.ts'
import { checkAnswer } from './check-answer.ts'
import { type Engine, type Place, makePlace } from '../database/engines.ts'

export type Answer = { status: number; headers: Headers; text: string; body: any }

export type Docent = AsyncDisposable & {
  url: string
  /** API key of the account `owner@example.test`. */
  key: string
  place: Place
  /** Creates another key, for another account if `email` is not the owner's. */
  makeKey(email?: string, serverIds?: string[]): Promise<string>
  /** The service's own store. On SQLite, a second one in this process would block it while it waits for a lock. */
  store: Store
  /** Reads the service's database, or writes what requests cannot. */
  inStore<T>(body: (store: Store) => Promise<T>): Promise<T>
  /** Sends one request, without a key if `key` is null. */
  request(
    method: string,
    path: string,
    body?: unknown,
    options?: { key?: string | null; headers?: Record<string, string> },
  ): Promise<Answer>
  /** Creates a server, waits until its sources are indexed, and returns the answer with its detail. */
  createServer(body: object): Promise<any>
  /** Waits until the server has no pending work and returns its detail. */
  untilDone(idOrSlug: string): Promise<any>
  /** Calls a server's tool in the legacy era and returns the JSON-RPC message. */
  callTool(slug: string, name: string, args: object, headers?: Record<string, string>): Promise<any>
}

type Options = {
  engine?: Engine
  place?: Place
  /** Key of an earlier service at this place. No key is created then, because a running service locks the place. */
  key?: string
  environment?: Record<string, string>
  embeddings?: NonNullable<Config['embeddings']>
  plan?: 'free' | 'unlimited'
}

/** The body; of an event stream, everything up to the first heartbeat, which follows the full state. */
export async function readText(response: Response): Promise<string> {
  if (response.headers.get('content-type') !== 'text/event-stream') return response.text()
  let text = ''
  for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part
    if (text.includes('event: heartbeat')) break
  }
  return text
}

/** The items of a stream; undefined for a single body. */
function itemsOf(type: string, text: string): unknown[] | undefined {
  const item = { 'text/event-stream': /^data: (.*)$/gm, 'application/x-ndjson': /^(.+)$/gm }[type]
  return item && [...text.matchAll(item)].map(([, data = '']) => JSON.parse(data) as unknown)
}

export async function startDocent({
  engine = 'sqlite',
  place: given,
  key: known,
  environment = {},
  embeddings,
  plan = 'unlimited',
}: Options = {}): Promise<Docent> {
  const place = given ?? (await makePlace(engine))
  const config: Config = {
    ...loadConfig({
      DOCENT_PORT: '0',
      DOCENT_ALLOW_NETWORKS: '127.0.0.0/8',
      DOCENT_LOG_LEVEL: 'silent',
      // Tests start many services and make few calls to each.
      DOCENT_THREADS: '1',
      // Results must not depend on an installed browser. Browser tests enable it.
      DOCENT_BROWSER: 'off',
      // Only its own tests build it.
      DOCENT_DASHBOARD: 'off',
      DOCENT_DATA_DIR: place.dataDir,
      ...environment,
    }),
    database: place.database,
    ...(embeddings ? { embeddings } : {}),
  }
  const service = await startService(config, loadSecrets(environment))
  const url = service.url ?? ''
  const accounts = new Set<string>()

  const { store } = service
  const makeKey = async (email = 'owner@example.test', serverIds?: string[]) => {
    if (!accounts.has(email)) {
      await createAccount(store, { email, password: null, plan }).catch((error: Error) => {
        if (!error.message.includes('already')) throw error
      })
      // The first account is the operator's and has no limits; tests of limits ask for the free plan.
      await store.write.updateTable('accounts').set({ plan }).where('email', '=', email).execute()
      accounts.add(email)
    }
    return createKey(store, { email, name: 'Test', ...(serverIds ? { serverIds } : {}) })
  }
  const key = known ?? (await makeKey())

  const request: Docent['request'] = async (method, path, body, { key: with_ = key, headers = {} } = {}) => {
    const isBytes = body instanceof Uint8Array && body.buffer instanceof ArrayBuffer
    const response = await fetch(url + path, {
      method,
      headers: {
        // Compressing an answer here to read it here takes longer than most queries.
        'accept-encoding': 'identity',
        ...(with_ ? { authorization: `Bearer ${with_}` } : {}),
        ...(body === undefined ? {} : { 'content-type': isBytes ? 'application/octet-stream' : 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isBytes || typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const { status, headers: answered } = response
    const type = answered.get('content-type') ?? ''
    const text = await readText(response)
    const isJson = type === '' || /^application\/json\b/.test(type)
    const answer = { status, headers: answered, text, body: isJson && text ? JSON.parse(text) : text || undefined }
    // Every answer in any test has to conform to the OpenAPI document.
    const bodies = itemsOf(type, text) ?? [answer.body]
    const undescribed = bodies.flatMap((one) => checkAnswer(method, path, { status, type, body: one }))
    if (undescribed.length > 0) throw new Error(undescribed.join('\n'))
    return answer
  }

  const untilDone: Docent['untilDone'] = async (idOrSlug) => {
    // Each look takes milliseconds of processor time, which the awaited work would otherwise have.
    for (let pauseMs = 20; ; pauseMs = Math.min(pauseMs * 1.2, 150)) {
      const { body } = await request('GET', `/api/mcp/${idOrSlug}/crawl-next`)
      if (body.status !== 'crawling') return (await request('GET', `/api/mcp/${idOrSlug}`)).body
      await sleep(pauseMs)
    }
  }

  return {
    url,
    key,
    place,
    store,
    makeKey,
    inStore: (body) => body(store),
    request,
    untilDone,
    async createServer(body) {
      const made = await request('POST', '/api/mcp/create', body)
      return { ...made.body, detail: await untilDone(made.body.serverId) }
    },
    async callTool(slug, name, args, headers = {}) {
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
      return (await request('POST', `/api/mcp/${slug}`, message, { key: null, headers })).body
    },
    async [Symbol.asyncDispose]() {
      // No grace period: only the test's own kept connections remain.
      await service.stop({ graceMs: 0 })
      if (!given) await place[Symbol.asyncDispose]()
    },
  }
}
