import { expect, test } from 'vitest'
import { openShelf } from '../../test/support/mcp/shelf.ts'
import { addressAt, headingPath } from './library-page.ts'

const api = (version: string) => ({
  url: `https://w.example/${version}/api`,
  markdown: `# Router API\n\n${'All of it. '.repeat(40)}\n\n## Router.use(path)\n\n${'Adds a handler. '.repeat(30)}\n\n### Notes\n\nx\n\n## Router.get(path)\n\nGets.\n`,
})
const shelf = openShelf(
  {
    pages: [api('v1'), api('v2'), { url: 'https://w.example/changelog', markdown: '# Changelog\n\n## 1.0\n\nFirst.' }],
  },
  { type: 'pdf', label: 'Manual', pages: [{ url: 'https://m.example/a.pdf', markdown: '# Router\n\nA router.' }] },
)
const { library } = shelf
const urls = (pages: readonly { url: string }[]) => pages.map(({ url }) => url)

test('finds pages by kind, source, type, path and version', async () => {
  expect(urls(await library.pagesOf(['changelog']))).toEqual(['https://w.example/changelog'])
  expect(await library.pagesOf(['issue', 'release'])).toEqual([])
  expect(await library.pagesOf(['changelog'], { type: 'pdf' })).toEqual([])
  expect(urls(await library.all({ sourceId: 'src_2' }))).toEqual(['https://m.example/a.pdf'])
  expect(urls(await library.all({ version: '2' }))).toEqual(['https://w.example/v2/api'])
  expect(urls(await library.all({ path: '/v1' }))).toEqual(['https://w.example/v1/api'])
  expect((await library.versions()).toSorted()).toEqual(['v1', 'v2'])
})

test('outlines each source separately and caches the result', async () => {
  const first = await library.outline('src_1')
  expect(first.map(({ path, pages }) => [path, pages])).toEqual([
    ['/v1', 1],
    ['/v2', 1],
    ['/', 1],
  ])
  expect(await library.outline('src_1')).toEqual(first)
  expect((await library.outline('src_2')).map(({ first: [page] }) => page?.url)).toEqual(['https://m.example/a.pdf'])
})

test('finds a name in titles and headings, whole names first', async () => {
  const of = async (name: string) =>
    (await library.named({ name })).map(({ page: { url }, entry }) => [url, entry !== null])
  expect(await of('Router.use')).toEqual([
    ['https://w.example/v1/api', true],
    ['https://w.example/v2/api', true],
  ])
  expect(await of('use()')).toHaveLength(2)
  expect(await of('router')).toEqual([['https://m.example/a.pdf', false]])
  expect(await of('Router.nothing')).toEqual([])
})

test('finds a URL with or without scheme, fragment and trailing slash', async () => {
  for (const url of ['https://w.example/changelog', 'w.example/changelog/', 'https://w.example/changelog#1.0']) {
    expect(await library.pagesAt([url])).toMatchObject([{ title: 'Changelog', sourceId: 'src_1' }])
  }
  expect(await library.pagesAt(['https://w.example/changelogs'])).toEqual([])
})

test('opens a page with section paths and URLs', async () => {
  const page = (await library.open(await library.all({ version: 'v1' })))[0]
  if (!page) throw new Error('no page')
  expect(page.sections.map((section) => [headingPath(page, section), addressAt(page, section)])).toEqual([
    ['', 'https://w.example/v1/api#router-api'],
    ['Router.use(path)', 'https://w.example/v1/api#routerusepath'],
    ['Router.use(path) › Notes', 'https://w.example/v1/api#notes'],
    ['Router.get(path)', 'https://w.example/v1/api#routergetpath'],
  ])
})

test('cites short signatures by their own anchors', async () => {
  const long = 'All that there is to say of it. '.repeat(14)
  const signed = (name: string, anchor: string, text: string) => `## ${name}(x) {#${anchor}}\n\n${text}\n\n`
  const pages = [
    [
      'same',
      `${signed('Jar.a', 'web.Jar.a', long)}${signed('Jar.b', 'web.Jar.b', 'Short.')}${signed('Jar.c', 'web.Jar.c', long)}${signed('Jar.d', 'web.Jar.d', long)}`,
    ],
    [
      'mixed',
      `${signed('a', 'Jar.a', long)}${signed('b', 'Jar.b', 'Short.')}${signed('c', 'Jar.c', long)}${signed('d', 'Pot.d', long)}`,
    ],
  ] as const
  const jars = openShelf({
    pages: pages.map(([name, text]) => ({
      url: `https://w.example/${name}`,
      markdown: `# Jars\n\n${long}\n\n${text}`,
    })),
  })
  const opened = await jars.library.open(await jars.library.all())
  const addresses = opened.map((page) => page.sections.map((section) => addressAt(page, section).replace(/^.*[#]/, '')))
  expect(addresses).toEqual([
    ['jars', 'web.Jar.a', 'web.Jar.b', 'web.Jar.c', 'web.Jar.d'],
    ['jars', 'Jar.a', 'Jar.b', 'Jar.c', 'Pot.d'],
  ])
})

test('cites a heading without text by its own anchor', async () => {
  const markdown =
    '# Parts\n\n## Sprockets {#part-1}\n\n### Oil {#part-1-1}\n\nx\n\n### Grease {#part-1-2}\n\ny\n\n## Cogs {#part-2}\n\n## Ends {#part-3}\n\nz'
  const parts = openShelf({ pages: [{ url: 'https://w.example/parts', markdown }] })
  const [page] = await parts.library.open(await parts.library.all())
  if (!page) throw new Error('no page')
  expect(page.sections.map((section) => addressAt(page, section).replace(/^.*[#]/, ''))).toEqual([
    'parts',
    'part-1',
    'part-1-1',
    'part-1-2',
    'part-2',
    'part-3',
  ])
})

test('omits a title with a purpose suffix from the heading path', async () => {
  const manual = openShelf({
    pages: [
      {
        url: 'https://w.example/fire',
        title: 'fire(1) — Heat a kiln',
        markdown: '# fire(1) Manual\n\nx\n\n## Options\n\ny',
      },
    ],
  })
  const [page] = await manual.library.open(await manual.library.all())
  if (!page) throw new Error('no page')
  expect(page.sections.map((section) => headingPath(page, section))).toEqual(['', 'Options'])
})
