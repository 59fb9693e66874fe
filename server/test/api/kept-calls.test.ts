import { expect, test } from 'vitest'
import { openStore } from '#store/engine/open.ts'
import { makePlace } from '../support/database/engines.ts'
import { startDocent } from '../support/service/harness.ts'
import { makeOwner, spawnService } from '../support/service/service-process.ts'
import { page, startSite } from '../support/sites/site.ts'

test('logs every call answered before the service stops', async () => {
  await using site = await startSite({ '/': page('Home', 'Welcome to this place.') })
  await using place = await makePlace('sqlite')
  let slug = ''
  let key = ''
  {
    await using docent = await startDocent({ place })
    const { body } = await docent.request('POST', '/api/mcp/create', { name: 'A', sources: [{ url: site.url }] })
    slug = body.slug
    key = docent.key
    await docent.callTool(slug, 'search_docs', { query: 'welcome' })
  }
  await using docent = await startDocent({ place })
  const { body } = await docent.request('GET', `/api/analytics/${slug}/summary`, undefined, { key })
  expect(body.totalCalls).toBe(1)
})

test('writes calls without a reader of the log, and keeps them when the service is killed', async () => {
  await using site = await startSite({ '/': page('Home', 'Welcome to this place.') })
  await using place = await makePlace('sqlite')
  const key = await makeOwner(place)
  const environment = { DOCENT_DATA_DIR: place.dataDir, DOCENT_ALLOW_NETWORKS: '127.0.0.0/8' }
  let slug = ''
  {
    await using service = await spawnService(environment)
    const post = async (path: string, body: object) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      const response = await fetch(service.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
      return (await response.json()) as { slug: string }
    }
    slug = (await post('/api/mcp/create', { name: 'A', sources: [{ url: site.url }] })).slug
    const params = { name: 'search_docs', arguments: { query: 'welcome' } }
    for (let n = 0; n < 5; n++) await post(`/api/mcp/${slug}`, { jsonrpc: '2.0', id: n, method: 'tools/call', params })
    {
      // Nothing asks the service for them: reading the log over HTTP would write it.
      await using store = await openStore({ database: place.database, onError: () => {}, migrates: false })
      const rows = () => store.read.selectFrom('calls').select('id').execute()
      await expect.poll(rows).toHaveLength(5)
    }
    await service.end('SIGKILL')
  }
  await using docent = await startDocent({ place })
  const { body } = await docent.request('GET', `/api/analytics/${slug}/summary`, undefined, { key })
  expect(body.totalCalls).toBe(5)
})
