import { expect, test } from 'vitest'
import { onSqliteAtLeast } from '../support/database/engines.ts'
import { page } from '../support/sites/site.ts'
import { account, world } from '../support/indexing/source-world.ts'

onSqliteAtLeast('path patterns', (engine) => {
  const at = world(engine)
  const urlsOf = async ({ as, server }: Awaited<ReturnType<typeof account>>) =>
    (await as('GET', `/api/mcp/${server.slug}/pages?state=indexed`)).body.pages.map(({ url }: { url: string }) =>
      url.slice(at.site.url.length),
    )

  test('applies patterns given with a source to its first crawl', async () => {
    const sources = [{ url: at.site.url, exclude: ['/b'] }]
    const created = await account(at, { sources })
    await created.untilDone()
    expect((await created.detail()).sources).toMatchObject([{ exclude: ['/b'], include: [] }])
    expect(await urlsOf(created)).toEqual(['/', '/a'])
    const empty = await account(at)
    const added = await empty.add({ url: at.site.url, include: ['/a'], exclude: ['/b'] })
    expect([added.status, added.body]).toMatchObject([200, { include: ['/a'], exclude: ['/b'] }])
    const refused = await empty.add({ url: `${at.site.url}/b`, exclude: ['b'] })
    expect([refused.status, refused.body.message]).toEqual([400, 'exclude[0] must start with / or *.'])
  })

  test('applies patterns changed during a crawl to pages already read', async () => {
    const words = 'are described at length, with their colours and their seasons.'
    at.site.pages.set('/w/', page('Fruit', `All fruits ${words}`, ['/w/a', '/w/b', '/w/slow']))
    at.site.pages.set('/w/a', page('Plums', `Plums ${words}`))
    at.site.pages.set('/w/b', page('Figs', `Figs ${words}`))
    const slow = Promise.withResolvers<void>()
    const late = page('Dates', `Dates ${words}`)
    at.site.pages.set(
      '/w/slow',
      (_, response) => void slow.promise.then(() => response.writeHead(200, { 'content-type': 'text/html' }).end(late)),
    )
    const owner = await account(at, { sources: [{ url: `${at.site.url}/w/` }] })
    await expect.poll(() => urlsOf(owner)).toContain('/w/b')
    const [source] = (await owner.detail()).sources
    expect(source.crawlStatus).toBe('crawling')
    await owner.as('PATCH', `/api/mcp/${owner.server.slug}/sources/${source.id}`, { exclude: ['/w/b'] })
    slow.resolve()
    await owner.untilDone()
    expect(await urlsOf(owner)).toEqual(['/w/', '/w/a', '/w/slow'])
  })
})

onSqliteAtLeast('changing a source', (engine) => {
  const at = world(engine)

  test('changes the name and the patterns of a source, and re-indexes it for new patterns', async () => {
    const { server, as, detail, untilDone } = await account(at, { sources: [{ url: at.site.url }] })
    await untilDone()
    const [{ nextRefreshAt, ...source }] = (await detail()).sources
    expect(Date.parse(nextRefreshAt)).toBeGreaterThan(Date.now())
    const change = (body: unknown) => as('PATCH', `/api/mcp/${server.slug}/sources/${source.id}`, body)
    expect((await change({ label: ' Fruit ' })).body).toEqual({ ...source, label: 'Fruit' })
    const narrowed = await change({ exclude: ['/b'] })
    expect(narrowed.body).toMatchObject({ label: 'Fruit', include: [], exclude: ['/b'], crawlStatus: 'pending' })
    await untilDone()
    expect((await detail()).sources[0]).toMatchObject({
      crawlStatus: 'complete',
      pagesIndexed: 2,
      skipped: [{ reason: 'out_of_scope', pages: 1 }],
    })
    expect((await change({ exclude: ['/b'] })).body.crawlStatus).toBe('complete')
    await change({ exclude: [], label: null })
    await untilDone()
    expect((await detail()).sources[0]).toMatchObject({ label: null, exclude: [], pagesIndexed: 3, skipped: [] })
  })

  test.each([
    [{}, 400, 'Nothing to update.'],
    [{ include: ['docs'] }, 400, 'invalid_input'],
    [{ include: '/docs' }, 400, 'invalid_input'],
    [{ exclude: Array.from({ length: 51 }, () => '/x') }, 400, 'invalid_input'],
    [{ label: 'x'.repeat(101) }, 400, 'invalid_input'],
  ])('refuses %j', async (body, status, error) => {
    const { server, as, detail } = await account(at)
    const [source] = (await detail()).sources
    const answer = await as('PATCH', `/api/mcp/${server.slug}/sources/${source.id}`, body)
    expect(answer).toMatchObject({ status, body: { error } })
  })

  test('returns the same 404 for an unknown source and one of another server', async () => {
    const [mine, other] = [await account(at), await account(at)]
    const [theirs] = (await other.detail()).sources
    const answers = await Promise.all(
      ['src_none', theirs.id].map((id) =>
        mine.as('PATCH', `/api/mcp/${mine.server.slug}/sources/${id}`, { label: 'x' }),
      ),
    )
    for (const { status, text } of answers) expect([status, text]).toEqual([404, '{"error":"Source not found"}'])
  })
})
