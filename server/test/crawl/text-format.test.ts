import { expect, test } from 'vitest'
import { onSqliteAtLeast } from '../support/database/engines.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { resultsIn } from '../support/mcp/results-in.ts'
import { page, startSite } from '../support/sites/site.ts'

const listTexts = (docent: Docent) =>
  docent.inStore(({ read }) => read.selectFrom('texts').select(['hash', 'outline']).orderBy('hash').execute())

/** Makes all texts look indexed by a program that divides pages differently. */
const makeOlder = (docent: Docent) =>
  docent.inStore(async ({ read, write }) => {
    for (const { hash } of await read.selectFrom('texts').select('hash').execute()) {
      const older = `${hash.slice(0, -4)}0001`
      await write.updateTable('texts').set({ hash: older }).where('hash', '=', hash).execute()
      await write.updateTable('pages').set({ textHash: older }).where('textHash', '=', hash).execute()
    }
  })

onSqliteAtLeast('pages divided by an earlier program', (engine) => {
  test('divides the pages again at the next refresh even if they are unchanged', async () => {
    await using site = await startSite({
      '/': page('Start', 'This page tells all that there is to know about starting.', ['/apples']),
      '/apples': page('Apples', 'This page tells all that there is to know about apples.'),
    })
    await using docent = await startDocent({ engine })
    const sources = [{ url: `${site.url}/`, type: 'docs' }]
    const { slug } = await docent.createServer({ name: 'Site', sources })
    const texts = await listTexts(docent)
    expect(texts).toHaveLength(2)
    await makeOlder(docent)

    const refresh = async () => {
      site.requests.length = 0
      await docent.request('POST', '/api/mcp/crawl', { serverId: slug })
      await docent.untilDone(slug)
      return site.requests.filter(({ path }) => path === '/apples')
    }
    expect(await refresh()).toEqual([{ path: '/apples', status: 200 }])
    expect(await listTexts(docent)).toEqual(texts)
    const { result } = await docent.callTool(slug, 'search_docs', { query: 'apples' })
    expect(resultsIn(result)).toMatchObject([{ title: 'Apples' }])
    expect(await refresh()).toEqual([{ path: '/apples', status: 304 }])
  })
})
