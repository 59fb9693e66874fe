import { setTimeout as sleep } from 'node:timers/promises'
import { createAccount, createKey } from '#auth/accounts.ts'
import { type Config, loadConfig, loadSecrets } from '#config.ts'
import { startService } from '../src/main.ts'
import type { Store } from '#store/db.ts'
import { openStore } from '#store/open.ts'
import { checkAnswer } from './check-answer.ts'
import { type Engine, type Place, makePlace } from './engines.ts'

export type Answer = { status: number; headers: Headers; text: string; body: any }

export type Docent = AsyncDisposable & {
  url: string
  /** Key of the account `owner@example.test`. */
  key: string
  place: Place
  /** A further key, of another account when it is not the owner's address. */
  makeKey(email?: string, serverIds?: string[]): Promise<string>
  /** Looks into the service's database, or puts something there that requests cannot. */
  inStore<T>(body: (store: Store) => Promise<T>): Promise<T>
  /** One request. `key: null` sends none. */
  request(
    method: string,
    path: string,
    body?: unknown,
    options?: { key?: string | null; headers?: Record<string, string> },
  ): Promise<Answer>
  /** Waits until nothing is to be done for the server, and returns its detail. */
  untilDone(idOrSlug: string): Promise<any>
  /** Calls a tool of a server, in the legacy era, and returns the JSON-RPC message. */
  callTool(slug: string, name: string, args: object, headers?: Record<string, string>): Promise<any>
}

type Options = {
  engine?: Engine
  place?: Place
  /** Of the service that was at this place before. None is made then, for which a service at work is in the way. */
  key?: string
  environment?: Record<string, string>
  plan?: 'free' | 'unlimited'
}

/** The body; of a stream of events what comes until its first heartbeat, which is when everything has been told. */
export async function readText(response: Response): Promise<string> {
  if (response.headers.get('content-type') !== 'text/event-stream') return response.text()
  let text = ''
  for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part
    if (text.includes('event: heartbeat')) break
  }
  return text
}

/** The items of a stream; undefined for an answer that is one body. */
function itemsOf(type: string, text: string): unknown[] | undefined {
  const item = { 'text/event-stream': /^data: (.*)$/gm, 'application/x-ndjson': /^(.+)$/gm }[type]
  return item && [...text.matchAll(item)].map(([, data = '']) => JSON.parse(data) as unknown)
}

/** The whole service on a fresh data folder or database and a free port, allowed to index this machine. */
export async function startDocent({
  engine = 'sqlite',
  place: given,
  key: known,
  environment = {},
  plan = 'unlimited',
}: Options = {}): Promise<Docent> {
  const place = given ?? (await makePlace(engine))
  const config: Config = {
    ...loadConfig({
      DOCENT_PORT: '0',
      DOCENT_ALLOW_NETWORKS: '127.0.0.0/8',
      DOCENT_LOG_LEVEL: 'silent',
      // Many services start in the tests, and few calls are made of each.
      DOCENT_THREADS: '1',
      // What the machine has must not decide what a test sees; those about the browser ask for it.
      DOCENT_BROWSER: 'off',
      DOCENT_DATA_DIR: place.dataDir,
      ...environment,
    }),
    database: place.database,
  }
  const service = await startService(config, loadSecrets(environment))
  const url = service.url ?? ''
  const accounts = new Set<string>()

  const makeKey = async (email = 'owner@example.test', serverIds?: string[]) => {
    await using store = await openStore({ database: place.database, onError: () => {} })
    if (!accounts.has(email)) {
      await createAccount(store, { email, password: null, plan }).catch((error: Error) => {
        if (!error.message.includes('already')) throw error
      })
      // The first account is the operator's, and without limits; scenarios about limits ask for the free plan.
      await store.write.updateTable('accounts').set({ plan }).where('email', '=', email).execute()
      accounts.add(email)
    }
    // Awaited here: the store is closed when this function is left.
    return await createKey(store, { email, name: 'Test', ...(serverIds ? { serverIds } : {}) })
  }
  const key = known ?? (await makeKey())

  const inStore: Docent['inStore'] = async (body) => {
    await using store = await openStore({ database: place.database, onError: () => {} })
    return await body(store)
  }

  const request: Docent['request'] = async (method, path, body, { key: with_ = key, headers = {} } = {}) => {
    const isBytes = body instanceof Uint8Array && body.buffer instanceof ArrayBuffer
    const response = await fetch(url + path, {
      method,
      headers: {
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
    // Whatever else a scenario is about: nothing is answered that the description does not say.
    const bodies = itemsOf(type, text) ?? [answer.body]
    const undescribed = bodies.flatMap((one) => checkAnswer(method, path, { status, type, body: one }))
    if (undescribed.length > 0) throw new Error(undescribed.join('\n'))
    return answer
  }

  return {
    url,
    key,
    place,
    makeKey,
    inStore,
    request,
    async untilDone(idOrSlug) {
      for (;;) {
        const { body } = await request('GET', `/api/mcp/${idOrSlug}/crawl-next`)
        if (body.status !== 'crawling') return (await request('GET', `/api/mcp/${idOrSlug}`)).body
        await sleep(25)
      }
    },
    async callTool(slug, name, args, headers = {}) {
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
      return (await request('POST', `/api/mcp/${slug}`, message, { key: null, headers })).body
    },
    async [Symbol.asyncDispose]() {
      // Nobody is to connect any more, and connections that were kept are the test's own.
      await service.stop({ graceMs: 0 })
      if (!given) await place[Symbol.asyncDispose]()
    },
  }
}
