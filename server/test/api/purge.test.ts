import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Store } from '#store/db.ts'
import { onBothEngines } from '../support/database/engines.ts'
import { startDocent } from '../support/service/harness.ts'
import { type Site, page, startSite } from '../support/sites/site.ts'

const SECRET_KEY = 'a-secret-key-that-is-only-used-in-tests'

describe('purge', () => {
  let site: Site
  beforeAll(async () => {
    const text = 'Xylocanarium is explained at length, with its colours and its seasons.'
    site = await startSite({
      '/': page('Xylocanarium', text, ['/xylocanarium']),
      '/xylocanarium': page('More of the xylocanarium', `${text} And more of it.`),
    })
  })
  afterAll(() => site[Symbol.asyncDispose]())

  onBothEngines('purged server', (engine) => {
    test('leaves nothing in any table or file', async () => {
      const environment = { DOCENT_SECRET_KEY: SECRET_KEY }
      await using docent = await startDocent({ engine, environment })
      const { store } = docent
      const { body } = await docent.request('POST', '/api/mcp/create', {
        name: 'Xylocanarium',
        description: 'All about the xylocanarium',
        sources: [
          { url: `${site.url}/`, label: 'Xylocanarium' },
          { url: 'http://127.0.0.1:19151/mcp', auth: { secret: 'xylocanarium-secret' } },
        ],
      })
      const path = `/api/mcp/${body.slug}`
      // The other source cannot be reached and is retried again and again.
      const readSite = async () => (await docent.request('GET', path)).body.sources[0]
      const untilIndexed = () => expect.poll(async () => (await readSite()).crawlStatus).toBe('complete')
      await untilIndexed()
      await docent.callTool(
        body.slug,
        'search_docs',
        { query: 'xylocanarium seasons' },
        {
          authorization: `Bearer ${body.accessToken}`,
        },
      )
      const pin = { questions: ['Which seasons has the xylocanarium?'], url: `${site.url}/xylocanarium` }
      expect((await docent.request('POST', `${path}/pins`, pin)).status).toBe(200)
      await docent.request('POST', `/api/mcp/crawl`, { serverId: body.slug })
      await untilIndexed()
      // Longer than the flush interval of the request log.
      await sleep(1_500)
      // Only the audit log goes on naming what was deleted, by its id.
      const traces = async () => [
        ...(await tracesInTables(store, [/xylocanarium/i])),
        ...(await tracesInTables(store, [new RegExp(body.serverId)])).filter((table) => table !== 'audit_entries'),
        ...(engine === 'sqlite' ? tracesInFiles(docent.place.dataDir, ['ylocanarium']) : []),
      ]
      expect((await traces()).length).toBeGreaterThan(5)
      const scoped = await docent.makeKey('owner@example.test', [body.serverId])
      await docent.request('DELETE', path)
      await docent.inStore(({ write }) => sql`update servers set purge_at = 1`.execute(write))
      await docent.inStore(({ write }) => sql`update jobs set run_at = 1`.execute(write))
      await expect.poll(async () => (await sql`select id from servers`.execute(store.read)).rows).toEqual([])
      await expect.poll(traces).toEqual([])
      // A key scoped to it opens nothing else.
      expect((await docent.request('GET', '/api/mcp/list', undefined, { key: scoped })).body).toEqual([])
    })
  })
})

/** Tables with rows that match any of the patterns; binary columns are searched as bytes. */
async function tracesInTables(store: Store, patterns: RegExp[]): Promise<string[]> {
  const tables = await store.read.introspection.getTables()
  const found: string[] = []
  for (const { name } of tables) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(store.read)
    for (const row of rows) {
      const text = Object.values(row)
        .map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value)))
        .join(' ')
      if (patterns.some((pattern) => pattern.test(text))) found.push(name)
    }
  }
  return found
}

function tracesInFiles(folder: string, words: string[]): string[] {
  return readdirSync(folder).filter((name) => {
    const bytes = readFileSync(join(folder, name))
    return words.some((word) => bytes.includes(word))
  })
}
