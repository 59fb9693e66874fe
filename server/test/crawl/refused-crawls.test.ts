import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { type Page, page, startSite } from '../support/sites/site.ts'

const text = (word: string) => `This page tells all that there is to know about ${word}, in a sentence or two.`

let docent: Docent
beforeAll(async () => void (docent = await startDocent({ environment: { DOCENT_RATE_LIMITS: 'off' } })))
afterAll(() => docent[Symbol.asyncDispose]())

async function index(url: string) {
  const { slug, detail } = await docent.createServer({ name: 'Site', sources: [{ url, type: 'docs' }] })
  return { slug: slug as string, detail }
}

describe('source that cannot be crawled', () => {
  test.each([
    ['is down', 'http://127.0.0.1:19151/', /./],
    ['has no such page', '/missing', /answered 404/],
    ['cannot be looked up', 'http://nothing.invalid/', /./],
  ])('reports an error sentence when the site %s', async (_, url, sentence) => {
    await using site = await startSite({})
    const { detail } = await index(url.startsWith('/') ? site.url + url : url)
    expect(detail.status).toBe('error')
    expect(detail.sources[0]).toMatchObject({ crawlStatus: 'error', crawlError: expect.stringMatching(sentence) })
    expect(detail.sources[0].crawlError).toMatch(/[.]$/)
  })

  test('crawls nothing when robots.txt answers 503', async () => {
    await using site = await startSite({
      '/robots.txt': (_, response) => response.writeHead(503).end(),
      '/': page('Start', text('starting')),
    })
    const { detail } = await index(`${site.url}/`)
    expect(detail.sources[0].crawlError).toMatch(/robots\.txt cannot be read/)
    expect(site.requests.map(({ path }) => path)).not.toContain('/')
  })

  test('loses no page of a site that refuses most requests with Retry-After', async () => {
    const counts = new Map<string, number>()
    /** Refuses the first five requests of each page. */
    const refusing =
      (body: string): Page =>
      ({ url = '' }, response) => {
        const count = (counts.get(url) ?? 0) + 1
        counts.set(url, count)
        if (count <= 5) response.writeHead(429, { 'retry-after': '0' }).end()
        else response.writeHead(200, { 'content-type': 'text/html' }).end(body)
      }
    const words = ['apples', 'pears', 'plums', 'cherries']
    const paths = words.map((word) => `/${word}`)
    await using site = await startSite({
      '/robots.txt': refusing(''),
      '/': refusing(page('Start', text('starting'), paths)),
      ...Object.fromEntries(words.map((word) => [`/${word}`, refusing(page(word, text(word)))])),
    })
    const { detail } = await index(`${site.url}/`)
    expect(detail.sources[0]).toMatchObject({ crawlStatus: 'complete', pagesIndexed: 5, pagesFailed: 0 })
  })

  test('says of a page over the limit how large pages may be, and what to do', async () => {
    await using site = await startSite({
      '/': page('Start', text('starting'), ['/all']),
      '/all': (_, response) =>
        void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>' + 'x'.repeat(17 << 20)),
    })
    const { slug } = await index(`${site.url}/`)
    const { body } = await docent.request('GET', `/api/mcp/${slug}/pages?state=failed`)
    expect(body.pages[0].detail).toBe(
      'The answer is larger than 16 MB, which is as much as is read of it. Divide it into smaller pages.',
    )
  })

  test('names the user agent to allow when robots.txt forbids crawling', async () => {
    await using site = await startSite({
      '/robots.txt': 'User-agent: *\nDisallow: /',
      '/': page('Start', text('starting')),
    })
    const { detail } = await index(`${site.url}/`)
    expect(detail.sources[0].crawlError).toMatch(/asks crawlers to stay away .* "Docent"\.$/)
  })
})
