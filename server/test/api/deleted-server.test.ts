import { expect, test } from 'vitest'
import { onSqliteAtLeast } from '../support/database/engines.ts'
import { startDocent } from '../support/service/harness.ts'
import { page, startSite } from '../support/sites/site.ts'

const create = (url: string) => ({ name: 'Acme Docs', sources: [{ url }] })
/** Nothing listens here. These tests check the answers before any crawl. */
const NOWHERE = 'http://127.0.0.1:19151/'

onSqliteAtLeast('deleted server', (engine) => {
  test('stops answering at once, stays listed for seven days, and is gone for all other operations', async () => {
    await using docent = await startDocent({ engine })
    const { body: made } = await docent.request('POST', '/api/mcp/create', create(NOWHERE))
    const { status, body } = await docent.request('DELETE', `/api/mcp/${made.slug}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({ ok: true, retentionDays: 7 })
    expect(Date.parse(body.purgeAt) - Date.parse(body.deletedAt)).toBe(7 * 24 * 60 * 60 * 1000)
    const [listed] = (await docent.request('GET', '/api/mcp/list')).body
    expect(listed).toMatchObject({
      id: made.serverId,
      status: 'deleted',
      deletedAt: body.deletedAt,
      purgeAt: body.purgeAt,
    })
    for (const [method, path, sent] of [
      ['GET', `/api/mcp/${made.slug}`, undefined],
      ['DELETE', `/api/mcp/${made.serverId}`, undefined],
      ['POST', '/api/mcp/crawl', { serverId: made.serverId }],
      ['GET', `/api/mcp/${made.slug}/crawl-next`, undefined],
      ['POST', `/api/mcp/${made.slug}`, { jsonrpc: '2.0', id: 1, method: 'ping' }],
    ] as const) {
      expect(await docent.request(method, path, sent)).toMatchObject({
        status: 404,
        body: { error: 'Server not found' },
      })
    }
  })
})

onSqliteAtLeast('refreshing', (engine) => {
  test('queues all sources or one and names what is missing', async () => {
    await using site = await startSite({ '/': page('Home', 'Welcome to this place.'), '/robots.txt': '' })
    await using docent = await startDocent({ engine })
    const { body: made } = await docent.request('POST', '/api/mcp/create', {
      name: 'A',
      sources: [{ url: `${site.url}/` }, { url: `${site.url}/missing/` }],
    })
    const detail = await docent.untilDone(made.slug)
    const refresh = (body: object, path = '/api/mcp/crawl') => docent.request('POST', path, body)
    expect(await refresh({ serverId: made.slug })).toMatchObject({
      status: 200,
      body: { started: true, queued: 2, status: 'crawling' },
    })
    await docent.untilDone(made.slug)
    const one = { sourceId: detail.sources[0].id }
    expect((await refresh({ serverId: made.serverId, ...one })).body).toMatchObject({ started: true, queued: 1 })
    await docent.untilDone(made.slug)
    expect((await refresh(one, `/api/mcp/${made.slug}/crawl`)).body).toMatchObject({ started: true, queued: 1 })
    expect(await refresh({})).toMatchObject({ status: 400, body: { error: 'serverId is required' } })
    expect(await refresh({ serverId: 'nobody' })).toMatchObject({ status: 404, body: { error: 'Server not found' } })
    expect(await refresh({ serverId: made.slug, sourceId: 'src_none' })).toMatchObject({
      status: 404,
      body: { error: 'Source not found' },
    })
  })
})
