import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { onBothEngines } from '../support/database/engines.ts'
import { page, startSite } from '../support/sites/site.ts'
import { NOWHERE, account, world } from '../support/indexing/source-world.ts'

onBothEngines('removing a source', (engine) => {
  const at = world(engine)

  test('deletes everything of a source, counts its pages, and removes it from search', async () => {
    const { server, remove, detail, as, untilDone } = await account(at, {
      sources: [{ url: at.site.url }, { url: `${NOWHERE}/` }],
    })
    await untilDone()
    const { sources } = await detail()
    const ask = async () =>
      JSON.stringify(await at.docent.callTool(server.slug, 'search_docs', { query: 'apples colours' }))
    expect(await ask()).toContain('Apples are described')
    const answer = await remove({ sourceId: sources[0].id })
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        ok: true,
        removed: 1,
        purged: { chunks: sources[0].chunks, crawlUrls: 3, indexJobs: 0, callCitations: expect.any(Number) },
        remainingPrivateSources: 0,
      },
    ])
    expect(answer.body.purged.chunks).toBeGreaterThan(0)
    expect(answer.body.purged.callCitations).toBeGreaterThan(0)
    expect(await ask()).not.toContain('Apples')
    expect((await detail()).sources).toHaveLength(1)
    for (const table of ['pages', 'texts', 'segments', 'jobs', 'source_uses', 'cited_pages']) {
      const { rows } = await sql`select 1 as one from ${sql.table(table)} where source_id = ${sources[0].id}`.execute(
        at.docent.store.read,
      )
      expect([table, rows]).toEqual([table, []])
    }
    const nothing = { chunks: 0, crawlUrls: 0, indexJobs: 0, callCitations: 0 }
    expect((await remove({ sourceId: sources[0].id })).body).toEqual({
      ok: true,
      removed: 0,
      purged: nothing,
      remainingPrivateSources: 0,
    })
    expect((await as('POST', '/api/mcp/crawl', { serverId: server.slug, sourceId: sources[0].id })).status).toBe(404)
  })

  test('finds the source to remove by address, by id, or by both if they match', async () => {
    const { add, remove } = await account(at)
    const { body: one } = await add({ url: `${NOWHERE}/one` })
    const { body: two } = await add({ url: `${NOWHERE}/two` })
    expect((await remove({ sourceId: one.id, url: two.url })).body.removed).toBe(0)
    expect((await remove({ sourceId: one.id, url: `${NOWHERE}/one` })).body.removed).toBe(1)
    expect((await remove({ url: `${NOWHERE}/x/../two#part` })).body.removed).toBe(1)
    expect((await remove({ url: 'not a url' })).body.removed).toBe(0)
    const refused = await remove({})
    expect([refused.status, refused.body]).toEqual([400, { error: 'sourceId or url required' }])
  })

  test('stops a running crawl and counts its job', async () => {
    const slow: string[] = []
    await using endless = await startSite({})
    const pages = new Proxy(endless.pages, {
      get: (target, name) =>
        name === 'get'
          ? (path: string) => {
              slow.push(path)
              const n = Number(path.slice(1)) || 0
              if (path === '/robots.txt') return ''
              return page(`Page ${n}`, `Text number ${n} about ${'many '.repeat(20)} things.`, [
                `/${n + 1}`,
                `/${n + 2}`,
              ])
            }
          : Reflect.get(target, name, target),
    })
    endless.pages = pages
    const { remove, detail, server } = await account(at, { sources: [{ url: endless.url }] })
    await expect.poll(async () => (await detail()).sources[0].pagesIndexed).toBeGreaterThan(5)
    const { body } = await remove({ url: endless.url })
    expect(body).toMatchObject({ removed: 1, purged: { indexJobs: 1 } })
    expect(body.purged.crawlUrls).toBeGreaterThan(5)
    // Requests in flight may still arrive; then no more follow.
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    const asked = slow.length
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(slow).toHaveLength(asked)
    expect(await detail()).toMatchObject({ status: 'active', sources: [] })
    const { rows } = await sql`select * from jobs where server_id = ${server.serverId}`.execute(at.docent.store.read)
    expect(rows).toEqual([])
  })

  test('removes no source of another server', async () => {
    const [mine, other] = [await account(at), await account(at)]
    const { sources } = await other.detail()
    expect((await mine.remove({ sourceId: sources[0].id })).body.removed).toBe(0)
    expect((await other.detail()).sources).toHaveLength(1)
  })
})
