import { sql } from 'kysely'
import { expect, inject, test, vi } from 'vitest'
import { inLeasedTransaction } from '#jobs/lease.ts'
import { StoreUnavailableError } from '#store/engine/outages.ts'
import { claim } from '#store/jobs/claim.ts'
import { LEASE_MS } from '#store/jobs/job.ts'
import { enqueue } from '#store/jobs/queue.ts'
import { openStore } from '#store/engine/open.ts'
import { makePlace, openTwoNodes } from '../support/database/engines.ts'
import { makeOwner, spawnService } from '../support/service/service-process.ts'
import { page, startSite } from '../support/sites/site.ts'

/** In place of 15 seconds, and of the rest of the lease. */
const SOON_MS = 2_000

// SQLite has one node only.
test.skipIf(inject('postgresUrl') === '')(
  'takes a job over from a node that is paused inside a transaction, whose writes are lost',
  async () => {
    await using place = await makePlace('postgres')
    await using nodes = await openTwoNodes(place)
    const { rows } = await sql`show idle_in_transaction_session_timeout`.execute(nodes.one.write)
    expect(rows).toEqual([{ idleInTransactionSessionTimeout: '15s' }])
    await enqueue(nodes.one.write, 'ingest', { sourceId: 'src_1' })
    const job = await claim(nodes.one)
    if (!job) throw new Error('There is no job to claim')
    const afterLease = (await nodes.other.now()) + LEASE_MS + 1
    const [begun, resumed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const paused = inLeasedTransaction(
      nodes.one,
      job,
    )(async (tx) => {
      await sql`set local idle_in_transaction_session_timeout = ${sql.lit(SOON_MS)}`.execute(tx)
      await tx.updateTable('jobs').set({ error: 'written before the pause' }).where('id', '=', job.id).execute()
      begun.resolve()
      await resumed.promise
      await tx.updateTable('jobs').set({ error: 'written after the pause' }).where('id', '=', job.id).execute()
    })
    const failed = paused.catch((error: unknown) => error)
    await begun.promise
    // The row is locked until PostgreSQL ends the transaction of the paused node.
    expect(await claim(nodes.other, afterLease)).toBeUndefined()
    await vi.waitUntil(async () => (await claim(nodes.other, afterLease)) !== undefined, { timeout: 10_000 })
    resumed.resolve()
    expect(await failed).toBeInstanceOf(StoreUnavailableError)
    const left = await nodes.other.read.selectFrom('jobs').select(['state', 'fence', 'error']).execute()
    expect(left).toEqual([{ state: 'running', fence: job.fence + 1, error: null }])
  },
)

const PAGES = 150
/** Slow enough for a crawl to be stopped in the middle. */
const PAGE_MS = 100

// The lease of a job has half a minute.
test.runIf(inject('isLong') && inject('postgresUrl') !== '')(
  'crawls on within 35 seconds after its node was stopped, loses no page, and lets its server be changed',
  async () => {
    await using stack = new AsyncDisposableStack()
    const place = stack.use(await makePlace('postgres'))
    const store = stack.use(await openStore({ database: place.database, onError: () => {} }))
    const key = await makeOwner(place)
    const paths = Array.from({ length: PAGES }, (_, n) => `/p${n}`)
    const site = stack.use(await startSite({ '/': page('Start', 'Where everything starts and nothing ends.', paths) }))
    for (const path of paths) {
      const html = page(`Page ${path}`, `Here lives the quokka${path.slice(1)}x, and nowhere else.`)
      site.pages.set(path, (_, answer) => {
        setTimeout(() => answer.writeHead(200, { 'content-type': 'text/html' }).end(html), PAGE_MS)
      })
    }
    const spawn = () =>
      spawnService({
        DATABASE_URL: place.database.engine === 'postgres' ? place.database.url : '',
        DOCENT_DATA_DIR: place.dataDir,
        DOCENT_ALLOW_NETWORKS: '127.0.0.0/8',
        DOCENT_RATE_LIMITS: 'off',
        DOCENT_SECRET_KEY: 'a-key-for-tests-that-is-long-enough',
      })
    const first = stack.use(await spawn())
    let at = first.url
    const ask = async (method: string, path: string, body?: object) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      const response = await fetch(at + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
      return { status: response.status, body: (await response.json().catch(() => null)) as any }
    }
    for (const name of ['Kept', 'Other'])
      await ask('POST', '/api/mcp/create', { name, sources: [{ url: `${site.url}/` }] })
    const indexed = async (slug: string) => (await ask('GET', `/api/mcp/${slug}`)).body.sources[0].pagesIndexed
    for (const slug of ['kept', 'other']) await vi.waitUntil(async () => (await indexed(slug)) > 10, 60_000)
    const second = stack.use(await spawn())
    at = second.url

    process.kill(first.pid, 'SIGSTOP')
    const stoppedAt = await store.now()
    // Its transaction may hold the row of the job for fifteen seconds.
    await vi.waitUntil(async () => (await ask('DELETE', '/api/mcp/other')).status === 200, 60_000)
    const fences = async () => (await store.read.selectFrom('jobs').select('fence').execute()).map(({ fence }) => fence)
    await vi.waitUntil(async () => (await fences()).includes(2), { timeout: 120_000, interval: 100 })
    expect((await store.now()) - stoppedAt).toBeLessThanOrEqual(35_000)
    expect((await ask('POST', '/api/mcp/kept/crawl')).status).toBe(200)
    process.kill(first.pid, 'SIGCONT')
    const source = async () => (await ask('GET', '/api/mcp/kept')).body.sources[0]
    await vi.waitUntil(async () => (await source()).crawlStatus === 'complete', 120_000)
    expect(await source()).toMatchObject({ pagesIndexed: PAGES + 1, pagesFailed: 0, pagesSkipped: 0 })
  },
)
