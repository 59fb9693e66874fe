import { expect, test } from 'vitest'
import { onSqliteAtLeast } from '../support/database/engines.ts'
import { startDocent } from '../support/service/harness.ts'
import { startSite } from '../support/sites/site.ts'
import { resultsIn } from '../support/mcp/results-in.ts'

const PAGES = 30
/** Long enough for each section to become its own passage. */
const words = (n: number) =>
  Array.from(
    { length: 20 },
    (_, by) => `Divided by ${by + 40}, the number ${n} leaves ${n % (by + 40)}, by which it is told from others.`,
  ).join(' ')
const html = (n: number) => `<!doctype html><html lang="en"><head><title>Number ${n}</title></head><body><main>
<h1>Number ${n}</h1><p>${words(n)}</p><h2 id="use-it">Use it</h2><p>To use it: ${words(n)}</p></main></body></html>`
const paths = Array.from({ length: PAGES }, (_, n) => `/n${n}`)
const index = `<h1>Numbers</h1><p>All of them, one after another, each on a page of its own.</p>${paths
  .map((path) => `<a href="${path}">More</a>`)
  .join('')}`

onSqliteAtLeast('llms-full.txt', (engine) => {
  test.each<[string, (url: string, n: number) => string, number]>([
    [
      'replaces fetching the pages when it contains their text',
      (url, n) => `# Number ${n}\nSource: ${url}\n\n${words(n)}\n\n## Use it\n\nTo use it: ${words(n)}`,
      3,
    ],
    [
      'is ignored when it contains only summaries',
      (url, n) => `# Number ${n}\nSource: ${url}\n\nA number.\n\n## Use it`,
      PAGES,
    ],
    [
      'is ignored when its headings differ from those of the pages',
      (url, n) => `# Number ${n}\nSource: ${url}\n\n${words(n)}\n\n## Apply it\n\nTo use it: ${words(n)}`,
      PAGES,
    ],
    [
      'is ignored when it links to Markdown files',
      (url, n) => `# Number ${n}\nSource: ${url}.md\n\n${words(n)}\n\n## Use it\n\nTo use it: ${words(n)}`,
      PAGES,
    ],
  ])('%s', async (_, text, fetched) => {
    await using site = await startSite({ '/': index })
    for (const [n, path] of paths.entries()) site.pages.set(path, html(n))
    site.pages.set('/llms-full.txt', paths.map((path, n) => text(site.url + path, n)).join('\n\n---\n\n'))
    await using docent = await startDocent({ engine })
    const { slug, detail } = await docent.createServer({ name: 'Site', sources: [{ url: `${site.url}/` }] })
    expect(detail.sources[0]).toMatchObject({ pagesIndexed: PAGES + 1, pagesSkipped: 0, pagesFailed: 0 })
    const asked = new Set(site.requests.map(({ path }) => path).filter((path) => paths.includes(path)))
    expect(asked.size).toBe(fetched)
    const { result } = await docent.callTool(slug, 'search_docs', { query: 'use number 17' })
    expect(resultsIn(result)[0]).toMatchObject({
      title: 'Number 17',
      url: expect.stringMatching(/\/n17(#use-it)?$/),
    })
  })
})
