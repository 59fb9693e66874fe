import { expect, test } from 'vitest'
import { openShelf } from '../../../test/support/mcp/shelf.ts'
import { jsonOf, legacy, fakeMcp } from '../../../test/support/mcp/mcp-fakes.ts'

const pages = (host: string, count: number) =>
  Array.from({ length: count }, (_, at) => ({
    url: `https://${host}.example/p${at}`,
    markdown: `# Page ${at}\n\nText of page number ${at}.`,
  }))

/** All responses of a list, each with its entries. */
async function listAll(shelf: ReturnType<typeof openShelf>) {
  const responses: { uri: string; name: string; description?: string; mimeType: string }[][] = []
  for (let cursor: string | undefined; responses.length === 0 || cursor !== undefined;) {
    const { result } = jsonOf(await shelf.send(legacy('resources/list', { cursor }))) as any
    responses.push(result.resources)
    cursor = result.nextCursor
  }
  return responses
}

test('lists pages as Markdown with their titles', async () => {
  const [listed] = await listAll(openShelf({ pages: pages('one', 2) }))
  expect(listed).toEqual([
    { uri: 'https://one.example/p0', name: 'Page 0', title: 'Page 0', mimeType: 'text/markdown' },
    { uri: 'https://one.example/p1', name: 'Page 1', title: 'Page 1', mimeType: 'text/markdown' },
  ])
})

test('lists nothing on a server without sources', async () => {
  expect(await listAll(openShelf())).toEqual([[]])
})

test.each([
  [200, [200]],
  [201, [200, 1]],
])('lists %i pages in responses of 200', async (count, sizes) => {
  const responses = await listAll(openShelf({ pages: pages('one', count) }))
  expect(responses.map(({ length }) => length)).toEqual(sizes)
  expect(new Set(responses.flat().map(({ uri }) => uri)).size).toBe(count)
})

test.each([
  [1_000, 1_000],
  [1_001, 1_000],
])('lists at most 1,000 of %i pages', async (count, listed) => {
  expect((await listAll(openShelf({ pages: pages('one', count) }))).flat()).toHaveLength(listed)
})

test('gives each source the same share, and the rest to those with more pages', async () => {
  const shelf = openShelf({ pages: pages('one', 700) }, { pages: pages('two', 600) }, { pages: pages('three', 20) })
  const listed = (await listAll(shelf)).flat()
  const count = (host: string) => listed.filter(({ uri }) => uri.startsWith(`https://${host}.`)).length
  expect([count('one'), count('two'), count('three')]).toEqual([490, 490, 20])
  expect(listed.at(-1)).toMatchObject({ uri: 'https://three.example/p19', description: 'From https://three.example/' })
})

test.each([
  ['a cursor of another list', Buffer.from('200.abcdefgh').toString('base64url')],
  ['no cursor of ours', 'nonsense'],
  ['a number', 7],
])('refuses %s', async (_, cursor) => {
  const shelf = openShelf({ pages: pages('one', 2) })
  expect(jsonOf(await shelf.send(legacy('resources/list', { cursor })))).toMatchObject({ error: { code: -32602 } })
})

const source = (url: string, label: string | null = null) => ({
  id: `src_${url}`,
  url,
  type: 'docs' as const,
  label,
  crawlStatus: 'complete' as const,
  pagesFound: 1,
  pagesIndexed: 1,
  segments: [],
})

async function templatesFor(urls: readonly string[]) {
  const { send } = fakeMcp({ server: { sources: urls.map((url) => source(url)) } })
  const { result } = jsonOf(await send(legacy('resources/templates/list'))) as any
  return result.resourceTemplates as { uriTemplate: string; name: string; mimeType: string }[]
}

test.each([
  ['https://w.example/', 'https://w.example/{+path}'],
  ['https://w.example/docs', 'https://w.example/docs/{+path}'],
  ['https://w.example/docs/', 'https://w.example/docs/{+path}'],
  ['https://w.example/docs/intro.html', 'https://w.example/docs/{+path}'],
  ['https://w.example/docs/?lang=en#top', 'https://w.example/docs/{+path}'],
  ['https://w.example/a{b}/', 'https://w.example/a%7Bb%7D/{+path}'],
  ['upload://handbook/', 'upload://handbook/{+path}'],
])('describes the pages of %s by the template %s', async (url, template) => {
  expect((await templatesFor([url])).map(({ uriTemplate }) => uriTemplate)).toEqual([template])
})

test('names a template after its source, and lists no template twice', async () => {
  const listed = await templatesFor(['https://w.example/docs/', 'https://w.example/docs/intro.html'])
  expect(listed).toMatchObject([
    { name: expect.stringContaining('Pages of https://w.example/docs/'), mimeType: 'text/markdown' },
  ])
})

test.each([
  [100, 100],
  [101, 100],
])('lists at most 100 of %i templates', async (count, listed) => {
  const urls = Array.from({ length: count }, (_, at) => `https://w${at}.example/`)
  expect(await templatesFor(urls)).toHaveLength(listed)
})

test('refuses a cursor, because there is one page', async () => {
  const { send } = fakeMcp()
  const answer = jsonOf(await send(legacy('resources/templates/list', { cursor: 'more' })))
  expect(answer).toMatchObject({ error: { code: -32602, message: expect.stringContaining('single page') } })
})
