import { expect, test } from 'vitest'
import { fakeMcp, jsonOf, legacy } from '../../../test/support/mcp/mcp-fakes.ts'

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
