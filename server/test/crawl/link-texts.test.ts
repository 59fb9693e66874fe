import { expect, test } from 'vitest'
import { onSqliteAtLeast } from '../support/database/engines.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { page, startSite } from '../support/sites/site.ts'
import { resultsIn } from '../support/mcp/results-in.ts'

const text = (about: string) => `This page is about ${about} and about hardly anything else that matters.`
const linking = (title: string, about: string, link: string) =>
  page(title, `${text(about)} ${link}`, ['/', '/start', '/menu', '/target'])

async function found(docent: Docent, slug: string, query: string): Promise<string[]> {
  const { result } = await docent.callTool(slug, 'search_docs', { query, limit: 5 })
  return resultsIn(result).map(({ url }) => new URL(url).pathname)
}

async function refresh(docent: Docent, slug: string): Promise<void> {
  await docent.request('POST', '/api/mcp/crawl', { serverId: slug })
  await docent.untilDone(slug)
}

onSqliteAtLeast('linked page', (engine) => {
  test('finds a page by the texts of links to it, also after refreshes without changes', async () => {
    await using site = await startSite({
      '/': linking('Home', 'beginnings', 'See <a href="/target">zymurgy basics</a>.'),
      '/menu': page('Menu', text('menus')).replace(
        '<body>',
        '<body><nav><ul><li><a href="/target">Quokka corner</a></li><li><a href="/start">Start</a></li></ul></nav>',
      ),
      '/start': linking('Start', 'starting', 'As said, <a href="/target">click here</a>.'),
      '/target': page('Target', text('fermentation')),
    })
    await using docent = await startDocent({ engine })
    const { body } = await docent.request('POST', '/api/mcp/create', {
      name: 'Linked',
      sources: [{ url: `${site.url}/`, type: 'docs' }],
    })
    const { slug } = body
    await docent.untilDone(slug)
    // The linking page contains the words too, and is the better one to quote.
    expect(await found(docent, slug, 'zymurgy')).toContain('/target')
    expect(await found(docent, slug, 'quokka')).toEqual(['/target'])
    expect(await found(docent, slug, 'click')).not.toContain('/target')

    site.pages.set('/start', linking('Start', 'starting over', 'And <a href="/target">the axolotl way</a>.'))
    await refresh(docent, slug)
    expect(await found(docent, slug, 'zymurgy')).toContain('/target')
    expect(await found(docent, slug, 'axolotl')).toContain('/target')
    expect(await found(docent, slug, 'quokka')).toEqual(['/target'])

    site.pages.set('/start', linking('Start', 'starting over', 'And nothing else.'))
    site.pages.set('/target', page('Target', text('brewing')))
    await refresh(docent, slug)
    expect(await found(docent, slug, 'zymurgy brewing')).toContain('/target')
    expect(await found(docent, slug, 'axolotl')).not.toContain('/target')
  })
})
