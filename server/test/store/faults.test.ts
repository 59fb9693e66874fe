import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, inject, test } from 'vitest'
import type { Store } from '#store/db.ts'
import { deleteUnusedObjects, sweepObjects } from '#store/engine/blobs/delete-objects.ts'
import { openStore } from '#store/engine/open.ts'
import { pageTexts } from '#store/pages/packed-texts.ts'
import { readSegment } from '#store/pages/segments.ts'
import { SERVICE_FLAGS } from '../../../scripts/launch/service-flags.mjs'
import { makePlace } from '../support/database/engines.ts'
import { type SilentProxy, startSilentProxy } from '../support/database/silent-proxy.ts'
import { type ThrowAwayPostgres, startPostgres } from '../support/database/throw-away-postgres.ts'
import { fillDisk, mountSmall, unmount } from '../support/lib/small-disk.ts'
import { hasTestPackages } from '../support/mcp/test-packages.ts'
import { CLI, type ServiceProcess, makeOwner, spawnService } from '../support/service/service-process.ts'
import { type Fault as BucketFault, startS3 } from '../support/sites/s3-server.ts'
import { type Site, page, startSite } from '../support/sites/site.ts'

const isLong = inject('isLong')
/** Nodes of each round, which meets every fault once, in random order. */
const ROUNDS = isLong ? [2, 3] : [2]
const PAGES = 12
/** Slow enough for a crawl to meet a fault. */
const PAGE_MS = 50
const SEARCH = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'search_docs', arguments: { query: 'quokka' } },
}

type Bucket = Awaited<ReturnType<typeof startS3>>
/** A node behind a proxy of its own. */
type Node = {
  proxy: SilentProxy
  service: ServiceProcess
  folder: string
  restart(signal: NodeJS.Signals, changes?: Record<string, string>): Promise<number | null>
}
type World = {
  nodes: readonly Node[]
  postgres: ThrowAwayPostgres | null
  bucket: Bucket | null
  /** A small disk that has the database. Null where none can be mounted. */
  disk: string | null
  random: (below: number) => number
}
type Fault = (node: Node, world: World) => Promise<void>

/** Steps the clock of a node's main thread an hour back, and at the next signal to the right time. */
const STEPPED_CLOCK = `data:text/javascript,${encodeURIComponent(`
  const now = Date.now, RightDate = Date
  let offset = 0
  process.on('SIGUSR2', () => (offset = offset === 0 ? -3_600_000 : 0))
  globalThis.Date = class Date extends RightDate {
    constructor(...given) { given.length === 0 ? super(now() + offset) : super(...given) }
    static now() { return now() + offset }
  }`)}`

/** Makes a fault in some requests to the bucket for a while. */
async function troubleBucket({ bucket, random }: World, faults: readonly BucketFault[], share: number): Promise<void> {
  if (!bucket) return
  bucket.faultOf = () => (random(100) < share ? (faults[random(faults.length)] ?? null) : null)
  await sleep(6_000)
  bucket.faultOf = () => null
}

/** Others start nodes again, or wait for a lease, or for connections that are lost without a word. */
const QUICK: Record<string, Fault> = {
  async cut({ proxy }) {
    proxy.refuse(true)
    await sleep(700)
    proxy.refuse(false)
  },
}
const SLOW: Record<string, Fault> = {
  ...QUICK,
  /** Restarts all nodes, whose new bytes go to another place then. Meanwhile nodes with both settings work together. */
  async roll(_, { nodes, bucket, random }) {
    const changes = bucket ? { DOCENT_BLOBS: ['database', 's3'][random(2)] ?? '' } : {}
    for (const node of nodes) expect(await node.restart('SIGTERM', changes)).toBe(0)
  },
  async clock({ service }) {
    process.kill(service.pid, 'SIGUSR2')
    await sleep(8_000)
    process.kill(service.pid, 'SIGUSR2')
  },
  bucketErrors: (_, world) => troubleBucket(world, [500, 503, 'cut', 'lost answer'], 30),
  bucketBodies: (_, world) => troubleBucket(world, ['wrong byte', 'stall'], 20),
  bucketAway: (_, world) => troubleBucket(world, ['cut'], 100),
  bucketRefuses: (_, world) => troubleBucket(world, [403], 100),
  async bucketSlow(_, { bucket }) {
    if (bucket) bucket.delayMs = 400
    await sleep(6_000)
    if (bucket) bucket.delayMs = 0
  },
  async diskFull({ folder }) {
    const free = fillDisk(folder)
    await sleep(5_000)
    free()
  },
  /** PostgreSQL may end itself when it cannot write its log. */
  async databaseDiskFull(_, { disk, postgres }) {
    if (disk === null || !postgres) return
    const free = fillDisk(disk)
    await sleep(5_000)
    free()
    await postgres.end('SIGINT')
    await postgres.begin()
  },
  kill: async (node) => void (await node.restart('SIGKILL')),
  async pause({ service }) {
    process.kill(service.pid, 'SIGSTOP')
    await sleep(20_000)
    process.kill(service.pid, 'SIGCONT')
  },
  /** Present connections swallow packets, new ones work. */
  halfOpen: async ({ proxy }) => proxy.silencePresent(),
  async slow({ proxy }) {
    proxy.delay(150)
    await sleep(5_000)
    proxy.delay(0)
  },
  async restart(_, { postgres, random }) {
    await postgres?.end((['SIGINT', 'SIGQUIT', 'SIGKILL'] as const)[random(3)] ?? 'SIGINT')
    await sleep(1_000)
    await postgres?.begin()
  },
}
const FAULTS = isLong ? SLOW : QUICK

/** Repeatable numbers (mulberry32). */
function seeded(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

async function startNode(
  databaseUrl: string,
  { folder, given }: { folder: string; given: Record<string, string> },
): Promise<Node & AsyncDisposable> {
  const proxy = await startSilentProxy(databaseUrl)
  const environment = {
    ...given,
    DATABASE_URL: proxy.url,
    DOCENT_DATA_DIR: folder,
    DOCENT_ALLOW_NETWORKS: '127.0.0.0/8',
    DOCENT_RATE_LIMITS: 'off',
    DOCENT_SECRET_KEY: 'a-key-for-tests-that-is-long-enough',
    DOCENT_LOG_LEVEL: 'info',
  }
  const spawn = () => spawnService(environment, () => {}, [...SERVICE_FLAGS, '--import', STEPPED_CLOCK, CLI])
  const node = {
    proxy,
    folder,
    service: await spawn(),
    async restart(signal: NodeJS.Signals, changes: Record<string, string> = {}) {
      const code = await node.service.end(signal)
      Object.assign(environment, changes)
      node.service = await spawn()
      return code
    },
    async [Symbol.asyncDispose]() {
      await node.service[Symbol.asyncDispose]()
      await proxy[Symbol.asyncDispose]()
    },
  }
  return node
}

/** Clients of all nodes, and what they were told. */
class Load {
  readonly #key: string
  readonly #over = new AbortController()
  readonly #work: Promise<unknown>[]
  /** Slugs of servers whose creation was answered with success. */
  readonly created: string[] = []
  readonly outcomes = new Set<string>()
  sent = 0
  answered = 0

  constructor(nodes: readonly Node[], site: Site, key: string) {
    this.#key = key
    this.#work = nodes.map((node, at) => Promise.all([this.#search(node), this.#create(node, at, site)]))
  }

  async end(): Promise<void> {
    this.#over.abort()
    await Promise.all(this.#work)
  }

  /** Null if the node is gone. Its answer may be lost, although its work is done. */
  async ask({ service }: Node, method: string, path: string, body?: object) {
    const headers = { authorization: `Bearer ${this.#key}`, 'content-type': 'application/json' }
    try {
      const sent = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) }
      const response = await fetch(service.url + path, sent)
      return { status: response.status, body: (await response.json()) as any }
    } catch {
      return null
    }
  }

  async #search(node: Node): Promise<void> {
    for (; !this.#over.signal.aborted; await sleep(30)) {
      this.sent += 1
      const answer = await this.ask(node, 'POST', '/api/mcp/first', SEARCH)
      const refused = answer?.body.error
      if (answer?.status === 200 && refused === undefined) this.answered += 1
      if (answer) this.outcomes.add(`search ${answer.status} ${refused?.data?.reason ?? refused ?? ''}`.trim())
    }
  }

  async #create(node: Node, at: number, site: Site): Promise<void> {
    for (let n = 0; !this.#over.signal.aborted; n++) {
      const name = `Server ${at} ${n}`
      const answer = await this.ask(node, 'POST', '/api/mcp/create', { name, sources: [{ url: `${site.url}/` }] })
      if (answer?.status === 201 || answer?.status === 200) this.created.push(answer.body.slug)
      if (answer) this.outcomes.add(`create ${answer.status} ${answer.body.error ?? ''}`.trim())
      await sleep(1_500)
    }
  }
}

/** Holds at every moment. */
async function checkInvariants({ read }: Store, created: readonly string[]): Promise<void> {
  const slugs = new Set((await read.selectFrom('servers').select('slug').execute()).map(({ slug }) => slug))
  expect(created.filter((slug) => !slugs.has(slug))).toEqual([])
  const running = await read.selectFrom('jobs').select('payload').where('state', '=', 'running').execute()
  expect(new Set(running.map(({ payload }) => payload)).size).toBe(running.length)
  const segments = await read
    .selectFrom('segments')
    .innerJoin('segmentParts', 'segmentId', 'segments.id')
    .select(['segments.id', 'bytes', 'data', 'objectBytes'])
    .execute()
  const sizes = new Map<string, number>()
  for (const { id, data, objectBytes } of segments) sizes.set(id, (sizes.get(id) ?? 0) + data.byteLength + objectBytes)
  const whole = new Set(segments.filter(({ id, bytes }) => sizes.get(id) === bytes).map(({ id }) => id))
  const named = await read.selectFrom('sources').select('segments').execute()
  expect(named.flatMap((row) => JSON.parse(row.segments ?? '[]') as string[]).filter((id) => !whole.has(id))).toEqual(
    [],
  )
}

/** Every published page has its text, in a row or in a pack, and every object its row. */
async function checkBytes(store: Store, bucket: Bucket | null): Promise<void> {
  for (const { id } of await store.read.selectFrom('sources').select('id').execute()) {
    const { rows } = await sql<{ segments: string }>`select segments from sources where id = ${id}`.execute(store.read)
    for (const segment of JSON.parse(rows[0]?.segments ?? '[]') as string[])
      expect(await readSegment(store, segment)).not.toBeNull()
    let texts = 0
    for await (const pages of pageTexts(store, id, { batch: 100 })) texts += pages.length
    const stored = await store.read.selectFrom('pages').select('id').where('sourceId', '=', id).execute()
    expect(texts).toBe(stored.length)
  }
  if (!bucket) return
  expect(bucket.seen.filter(({ method }) => method === 'PUT')).not.toHaveLength(0)
  await deleteUnusedObjects(store)
  await sweepObjects(store, Date.now() + 60_000)
  const used = new Set<string>()
  for (const table of ['segmentParts', 'textPacks'] as const)
    for (const { object } of await store.read.selectFrom(table).select('object').execute())
      if (object !== null) used.add(object.slice('s3:'.length))
  expect(bucket.objects().toSorted()).toEqual([...used].map((key) => `/bucket/${key}`).toSorted())
}

async function countCalls({ read }: Store) {
  const sumOf = async (table: 'callHours' | 'monthlyCalls') =>
    (
      await read
        .selectFrom(table)
        .select((is) => is.fn.sum<number>('calls').as('sum'))
        .executeTakeFirst()
    )?.sum
  const { rows } = await read
    .selectFrom('calls')
    .select((is) => is.fn.countAll<number>().as('rows'))
    .executeTakeFirstOrThrow()
  return { rows, hours: await sumOf('callHours'), month: await sumOf('monthlyCalls') }
}

/** The source of a server. One that met an outage of the bucket waits minutes for its next try, unless it is asked for. */
async function sourceOf(load: Load, node: Node, slug: string) {
  const source = (await load.ask(node, 'GET', `/api/mcp/${slug}`))?.body.sources?.[0]
  if (source?.crawlStatus === 'error') await load.ask(node, 'POST', `/api/mcp/${slug}/crawl`)
  return source
}

function makeFolder(stack: AsyncDisposableStack): string {
  const folder = mkdtempSync(join(tmpdir(), 'docent-fault-'))
  stack.defer(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A disk of this size, until the stack is disposed of. Null where file systems cannot be mounted. */
function mountDisk(stack: AsyncDisposableStack, megabytes: number): string | null {
  const folder = makeFolder(stack)
  if (!mountSmall(folder, megabytes)) return null
  stack.defer(() => unmount(folder))
  return folder
}

/** PostgreSQL and a bucket to be ended and disturbed in a long run, otherwise a database of the run. */
async function openWorld(stack: AsyncDisposableStack) {
  if (!isLong) {
    const { database } = stack.use(await makePlace('postgres'))
    return {
      disk: null,
      postgres: null,
      bucket: null,
      given: {},
      url: database.engine === 'postgres' ? database.url : '',
    }
  }
  const disk = mountDisk(stack, 400)
  const postgres = await startPostgres(['synchronous_commit=on', 'max_wal_size=64MB'], disk)
  if (!postgres) throw new Error('There is no PostgreSQL')
  stack.defer(() => postgres.stop())
  const bucket = hasTestPackages('faults of a bucket') ? stack.use(await startS3()) : null
  const given = bucket ? { ...bucket.environment, DOCENT_BLOBS: 's3', DOCENT_BLOBS_CACHE: '1' } : {}
  return { disk, postgres, bucket, given, url: postgres.url }
}

async function startSlowSite(): Promise<Site> {
  const links = Array.from({ length: PAGES - 1 }, (_, n) => `/p${n}`)
  const site = await startSite({ '/small/': page('Quokka', 'The quokka is small and smiles.') })
  const add = (path: string, html: string) =>
    site.pages.set(path, (_, answer) => {
      setTimeout(() => answer.writeHead(200, { 'content-type': 'text/html' }).end(html), PAGE_MS)
    })
  add('/', page('Start', 'Where everything starts and nothing ends.', links))
  for (const [n, path] of links.entries()) add(path, page(`Page ${n}`, `Here lives the quokka${n}x, and nowhere else.`))
  return site
}

describe.skipIf(inject('postgresUrl') === '')('nodes on PostgreSQL that meet faults', () => {
  test.each(ROUNDS)('keep what they have promised, with %d nodes', async (count) => {
    // eslint-disable-next-line node/no-process-env -- repeats a round
    const seed = Number(process.env['FAULT_SEED'] ?? (isLong ? randomInt(1 << 30) : 1))
    process.stdout.write(`faults: FAULT_SEED=${seed}\n`)
    const random = seeded(seed + count)
    await using stack = new AsyncDisposableStack()
    const { disk, postgres, bucket, given, url } = await openWorld(stack)
    const key = await makeOwner({ database: { engine: 'postgres', url } })
    const site = stack.use(await startSlowSite())
    const start = async () => {
      const folder = (isLong ? mountDisk(stack, 8) : null) ?? makeFolder(stack)
      return stack.use(await startNode(url, { folder, given }))
    }
    const nodes = await Promise.all(Array.from({ length: count }, start))
    const blobs = { place: 's3', folder: null, s3: bucket?.settings ?? null, cacheMb: 0 } as const
    const store = stack.use(await openStore({ database: { engine: 'postgres', url }, onError: () => {}, blobs }))

    const load = new Load(nodes, site, key)
    stack.defer(() => load.end())
    const [first] = nodes
    if (!first) throw new Error('There is no node')
    await load.ask(first, 'POST', '/api/mcp/create', { name: 'First', sources: [{ url: `${site.url}/small/` }] })
    let isCounted = true
    const order = Object.entries(FAULTS).map(([name, meet]) => ({ name, meet, rank: random(1 << 20) }))
    for (const { name, meet } of order.toSorted((a, b) => a.rank - b.rank)) {
      const at = random(nodes.length)
      process.stdout.write(`faults: ${name} of node ${at}\n`)
      // Calls of the last second before such an end may be uncounted.
      if (name === 'kill') isCounted = false
      await meet(nodes[at] ?? first, { nodes, postgres, bucket, disk, random })
      for (const node of nodes)
        await expect.poll(async () => (await load.ask(node, 'GET', '/readyz'))?.status).toBe(200)
      await checkInvariants(store, load.created)
    }
    await load.end()
    for (const slug of load.created)
      await expect
        .poll(() => sourceOf(load, first, slug), { interval: 200 })
        .toMatchObject({ crawlStatus: 'complete', pagesDiscovered: PAGES, pagesIndexed: PAGES, pagesFailed: 0 })
    // A job ends shortly after its source is complete.
    const ingests = () => store.read.selectFrom('jobs').select('kind').where('kind', '=', 'ingest').execute()
    await expect.poll(ingests).toEqual([])
    for (const node of nodes) expect(await node.service.end('SIGTERM')).toBe(0)
    await checkInvariants(store, load.created)
    if (isLong) await checkBytes(store, bucket)
    const { rows, hours, month } = await countCalls(store)
    expect({ hours, month }).toEqual({ hours: rows, month: rows })
    expect(rows).toBeLessThanOrEqual(load.sent)
    if (isCounted) expect(rows).toBeGreaterThanOrEqual(load.answered)
    expect(load.answered).toBeGreaterThan(0)
    expect(load.created.length).toBeGreaterThan(0)
    const allowed = /^(?:search (?:200|200 store_unavailable|404 .*)|create (?:20[01]|503 store_unavailable))$/
    expect([...load.outcomes].filter((outcome) => !allowed.test(outcome))).toEqual([])
  })
})
