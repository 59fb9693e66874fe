import { describe, expect, test } from 'vitest'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { page, startSite } from '../support/sites/site.ts'

const text = (word: string) => `This page tells all that there is to know about ${word}, in a sentence or two.`

async function index(docent: Docent, url: string) {
  const { slug, detail } = await docent.createServer({ name: 'Site', sources: [{ url, type: 'docs' }] })
  return { slug: slug as string, detail }
}

describe('source that cannot be crawled', () => {
  test.each([
    ['is down', 'http://127.0.0.1:49151/', /./],
    ['has no such page', '/missing', /answered 404/],
    ['cannot be looked up', 'http://nothing.invalid/', /./],
  ])('reports an error sentence when the site %s', async (_, url, sentence) => {
    await using site = await startSite({})
    await using docent = await startDocent()
    const { detail } = await index(docent, url.startsWith('/') ? site.url + url : url)
    expect(detail.status).toBe('error')
    expect(detail.sources[0]).toMatchObject({ crawlStatus: 'error', crawlError: expect.stringMatching(sentence) })
    expect(detail.sources[0].crawlError).toMatch(/[.]$/)
  })

  test('crawls nothing when robots.txt answers 503', async () => {
    await using site = await startSite({
      '/robots.txt': (_, response) => response.writeHead(503).end(),
      '/': page('Start', text('starting')),
    })
    await using docent = await startDocent()
    const { detail } = await index(docent, `${site.url}/`)
    expect(detail.sources[0].crawlError).toMatch(/robots\.txt cannot be read/)
    expect(site.requests.map(({ path }) => path)).not.toContain('/')
  })

  test('names the user agent to allow when robots.txt forbids crawling', async () => {
    await using site = await startSite({
      '/robots.txt': 'User-agent: *\nDisallow: /',
      '/': page('Start', text('starting')),
    })
    await using docent = await startDocent()
    const { detail } = await index(docent, `${site.url}/`)
    expect(detail.sources[0].crawlError).toMatch(/asks crawlers to stay away .* "Docent"\.$/)
  })
})
