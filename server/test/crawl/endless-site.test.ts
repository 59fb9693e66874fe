import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { TRAP_TEXTS, randomTexts, referencePages } from '../support/sites/page-texts.ts'
import { page, type Page, startSite } from '../support/sites/site.ts'
import { resultsIn } from '../support/mcp/results-in.ts'

const words = 'Every page of this site says one and the same thing about widgets, at some length, and leads on.'

/** Pages of a reference, several times as many as are read of a trap. */
const MEMBERS = inject('isLong') ? 2_500 : 1_250

/** Pages indexed of a trap, and those in flight when it is detected. */
const MOST_OF_TRAP = 300

/** Requests to a trap, also for pages that are not kept. A minute of a crawl has several times as many. */
const MOST_REQUESTS = 450

/** A site that generates its pages on request. */
async function startEndless(make: (path: string) => Page) {
  const site = await startSite({})
  site.pages.get = (path) => (/^\/(?:robots\.txt|sitemap\.xml|llms.*)$/.test(path) ? undefined : make(path))
  return site
}

let docent: Docent
beforeAll(async () => void (docent = await startDocent({ environment: { DOCENT_RATE_LIMITS: 'off' } })))
afterAll(() => docent[Symbol.asyncDispose]())

async function index(url: string) {
  const { slug, detail } = await docent.createServer({ name: 'Site', sources: [{ url, type: 'docs' }] })
  const { status, sources } = detail
  const { result } = await docent.callTool(slug, 'search_docs', { query: 'widgets' })
  return { status, source: sources[0], results: resultsIn(result) }
}

describe('site without end', () => {
  test('abandons a site whose pages differ only in numbers', async () => {
    await using site = await startEndless((path) => {
      const number = Number(/\d+$/.exec(path)?.[0] ?? 0)
      return page(`Page ${number}`, words, [`/page/${number + 1}`])
    })
    const { status, source } = await index(`${site.url}/`)
    expect([status, source.crawlStatus, source.pagesIndexed]).toEqual(['active', 'complete', 61])
  })

  test('abandons a site whose pages link to random ones', async () => {
    const random = () => `/p-${Math.random()}`
    await using site = await startEndless((path) => page(`Page ${path}`, words, [random(), random(), random()]))
    const { source } = await index(`${site.url}/`)
    expect(source.crawlStatus).toBe('complete')
    expect(source.pagesIndexed).toBeLessThan(MOST_OF_TRAP)
  })

  const kinds = ['template', 'letters', 'list of 200'] as const
  const traps = Object.entries({ ...Object.fromEntries(kinds.map((kind) => [kind, randomTexts(kind)])), ...TRAP_TEXTS })
  test.each(inject('isLong') ? traps : traps.filter(([name]) => /template|short/.test(name)))(
    'leaves a trap whose pages link to random ones: %s',
    async (_, text) => {
      const random = () => `/${Math.random().toString(36).slice(2)}`
      await using site = await startEndless((path) => page(`Page ${path}`, text(), [random(), random(), random()]))
      const { status, source } = await index(`${site.url}/`)
      expect([status, source.crawlStatus]).toEqual(['active', 'complete'])
      expect(source.pagesIndexed).toBeLessThan(MOST_OF_TRAP)
      expect(site.requests.length).toBeLessThan(MOST_REQUESTS)
    },
  )

  test('abandons a site where each page redirects to the next', async () => {
    await using site = await startEndless((path) =>
      path === '/'
        ? page('Start', words, ['/r'])
        : (_, response) => void response.writeHead(302, { location: `/r-${Math.random()}` }).end(),
    )
    const { source } = await index(`${site.url}/`)
    expect(source).toMatchObject({ crawlStatus: 'complete', pagesIndexed: 1 })
    expect(source.skipped).toEqual([
      { reason: 'redirect', pages: 20, example: expect.any(String) },
      { reason: 'too_deep', pages: 1, example: expect.stringContaining('redirects away') },
    ])
  })
})

test('reads a long run of pages with distinct text in full', async () => {
  await using site = await startEndless((path) => {
    const number = Number(/\d+$/.exec(path)?.[0] ?? 0)
    const topic = `topic${String.fromCodePoint(97 + (number % 26), 97 + Math.floor(number / 26))}`
    return page(`Page ${number}`, `${words} It is about ${topic}.`, number < 120 ? [`/page/${number + 1}`] : [])
  })
  expect((await index(`${site.url}/`)).source.pagesIndexed).toBe(121)
})

test(
  'reads an API reference of very many pages of one template in full, from its index alone',
  { timeout: 240_000 },
  async () => {
    const members = referencePages(MEMBERS)
    const interfaces = Map.groupBy(members, ({ name }) => name.split('.')[0] ?? '')
    const pathOf = (name: string) => `/api/${name.replace('.', '/')}`
    await using site = await startEndless((path) => {
      if (path === '/') return page('Reference', 'All interfaces of the platform.', [...interfaces.keys()].map(pathOf))
      const [, , owner = '', member] = path.split('/')
      const own = interfaces.get(owner) ?? []
      if (member === undefined)
        return page(
          owner,
          `The interface ${owner} has ${own.length} members.`,
          own.map(({ name }) => pathOf(name)),
        )
      const { name = '', text = '' } = own.find((one) => one.name === `${owner}.${member}`) ?? {}
      return page(name, text, [`/api/${owner}`, '/'])
    })
    const { source } = await index(`${site.url}/`)
    const pages = 1 + interfaces.size + MEMBERS
    expect(source).toMatchObject({ crawlStatus: 'complete', pagesDiscovered: pages, pagesIndexed: pages })
  },
)

test('abandons a site that fails after hardly any page, and keeps that page searchable', async () => {
  const links = Array.from({ length: 30 }, (_, at) => `/p${at}`)
  await using site = await startEndless((path) =>
    path === '/' ? page('Start', words, links) : (_, response) => void response.writeHead(500).end(),
  )
  const { status, source, results } = await index(`${site.url}/`)
  expect(status).toBe('error')
  expect(source.crawlError).toContain('The site stopped answering: The site answered 500.')
  expect(results).toHaveLength(1)
})
