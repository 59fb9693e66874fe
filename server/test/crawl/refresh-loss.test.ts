import { expect, test } from 'vitest'
import { onSqliteAtLeast } from '../support/database/engines.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { type Page, page, startSite } from '../support/sites/site.ts'
import { resultsIn } from '../support/mcp/results-in.ts'

const text = (word: string) => `This page tells all that there is to know about ${word}, in a sentence or two.`
const WORDS = ['apples', 'bananas', 'cherries', 'dates', 'elderberries']
const gone: Page = (_, response) => void response.writeHead(404).end()

/** An indexed site with a start page and a page per word. */
async function indexed(docent: Docent, words: readonly string[]) {
  const site = await startSite({
    '/': page(
      'Start',
      text('starting'),
      words.map((word) => `/fruit/${word}`),
    ),
    ...Object.fromEntries(words.map((word) => [`/fruit/${word}`, page(word, text(word))])),
  })
  const { body } = await docent.request('POST', '/api/mcp/create', {
    name: 'Site',
    sources: [{ url: `${site.url}/`, type: 'docs' }],
  })
  const { sources } = await docent.untilDone(body.slug)
  const refresh = async () => {
    await docent.request('POST', '/api/mcp/crawl', { serverId: body.slug, sourceId: sources[0].id })
    return (await docent.untilDone(body.slug)).sources[0]
  }
  const find = async (query: string): Promise<string[]> => {
    const { result } = await docent.callTool(body.slug, 'search_docs', { query, limit: 10 })
    return resultsIn(result).map(({ url }) => new URL(url).pathname)
  }
  return { site, refresh, find, slug: body.slug as string, sourceId: sources[0].id as string }
}

onSqliteAtLeast('refresh', (engine) => {
  test('keeps the previous version and reports an error while more than half of the pages are missing', async () => {
    await using docent = await startDocent({ engine })
    const { site, refresh, find } = await indexed(docent, WORDS)
    await using _ = site
    for (const word of WORDS.slice(0, 4)) site.pages.set(`/fruit/${word}`, gone)
    site.pages.set('/fruit/elderberries', page('elderberries', text('gooseberries')))
    // Twice: a refused refresh must not become the baseline of the next one.
    for (const _time of [1, 2]) {
      const source = await refresh()
      expect(source).toMatchObject({ crawlStatus: 'error', pagesIndexed: 2, pagesFailed: 4 })
      expect(source.crawlError).toMatch(
        /^The refresh was not taken over: of 6 pages only 2 were still there.*What was indexed before can still be searched\.$/,
      )
      expect(await find('apples')).toEqual(['/fruit/apples'])
      expect(await find('gooseberries')).toEqual([])
    }
    for (const word of WORDS.slice(0, 4)) site.pages.set(`/fruit/${word}`, page(word, text(word)))
    expect(await refresh()).toMatchObject({ crawlStatus: 'complete', pagesIndexed: 6, pagesFailed: 0 })
    expect(await find('apples')).toEqual(['/fruit/apples'])
    expect(await find('gooseberries')).toEqual(['/fruit/elderberries'])
  })

  test('keeps the previous version when it finds no pages', async () => {
    await using docent = await startDocent({ engine })
    const { site, refresh, find } = await indexed(docent, ['apples'])
    await using _ = site
    for (const path of ['/', '/fruit/apples'])
      site.pages.set(path, '<html><head><title>x</title></head><body></body></html>')
    expect(await refresh()).toMatchObject({ crawlStatus: 'error', crawlError: expect.stringContaining('only 0 were') })
    expect(await find('apples')).toEqual(['/fruit/apples'])
  })

  test('publishes the loss of half of the pages, and of more when patterns exclude them', async () => {
    await using docent = await startDocent({ engine })
    const { site, refresh, find, slug, sourceId } = await indexed(docent, WORDS)
    await using _ = site
    for (const word of WORDS.slice(0, 3)) site.pages.set(`/fruit/${word}`, gone)
    expect(await refresh()).toMatchObject({ crawlStatus: 'complete', pagesIndexed: 3, pagesFailed: 3 })
    expect(await find('apples')).toEqual([])
    await docent.request('PATCH', `/api/mcp/${slug}/sources/${sourceId}`, { exclude: ['/fruit/'] })
    expect(await refresh()).toMatchObject({ crawlStatus: 'complete', pagesIndexed: 1 })
    expect(await find('dates')).toEqual([])
  })
})
