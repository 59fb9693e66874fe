import { describe, expect, test } from 'vitest'
import type { Library } from '#documents/library.ts'
import { fakeMcp } from '../../../test/support/mcp/mcp-fakes.ts'
import { admit } from '../dispatch/dispatch.ts'
import { webDocument } from './web-documents.ts'
import { readWebAddress, webPath } from './web-pages.ts'

const pagesAddress = 'https://docent.example/api/mcp/widgets/pages/'

describe('a document about all pages', () => {
  const make = (count: number, name: 'llms.txt' | 'sitemap.xml', from: number | null = null) => {
    const pages = Array.from({ length: count }, (_, at) => ({
      sourceId: 'src_one',
      title: `P${at}`,
      url: `https://w.example/${at}`,
    }))
    const library = { all: async () => pages } as unknown as Library
    return webDocument({ server: { ...fakeMcp().server, pagesAddress }, library }, { name, from })
  }

  test('has up to 1,000 links, and the address of the rest', async () => {
    const whole = await make(1_000, 'llms.txt')
    expect(whole.match(/^- \[P\d+\]/gm)).toHaveLength(1_000)
    expect(whole).not.toContain('More pages')
    const first = await make(1_001, 'llms.txt')
    expect(first).toContain('- [More pages](https://docent.example/api/mcp/widgets/llms.txt?from=1000)')
    expect((await make(1_001, 'llms.txt', 1_000)).match(/^- .*$/gm)).toEqual([
      `- [P1000](${pagesAddress}w.example/1000.md)`,
    ])
  })

  test('is one sitemap for up to 10,000 pages, and then an index of several', async () => {
    expect((await make(10_000, 'sitemap.xml')).match(/<url>/g)).toHaveLength(10_000)
    const index = await make(10_001, 'sitemap.xml')
    expect(index.match(/<loc>.*<\/loc>/g)).toEqual([
      '<loc>https://docent.example/api/mcp/widgets/sitemap.xml?from=0</loc>',
      '<loc>https://docent.example/api/mcp/widgets/sitemap.xml?from=10000</loc>',
    ])
    expect((await make(10_001, 'sitemap.xml', 10_000)).match(/<url>/g)).toHaveLength(1)
  })
})

describe('the web address of a page', () => {
  test.each([
    ['https://w.example/', 'w.example.md'],
    ['https://w.example/guide/', 'w.example/guide.md'],
    ['https://w.example/guide.md', 'w.example/guide.md'],
    ['http://w.example/a%20b?x=(1)&y="<2>"#/route', 'w.example/a%20b%3Fx=%281%29%26y=%22%3C2%3E%22%23/route.md'],
    ['upload://manual/a.pdf#page=3', 'uploads/manual/a.pdf.md#page=3'],
  ])('of %s ends in %s, which leads back to it', (url, path) => {
    expect(webPath(url)).toBe(path)
    const named = url.replace(/^https?:\/\//, '').replace(/\/$/, '')
    expect(readWebAddress(pagesAddress + path, { pagesAddress })?.urls).toContain(named)
  })

  test('is that of one server only', () => {
    expect(readWebAddress(pagesAddress.replace('widgets', 'other'), { pagesAddress })).toBeNull()
    expect(readWebAddress(`${pagesAddress}w.example.md`, {})).toBeNull()
  })
})

test('requests other than of MCP count towards the rate limit of the endpoint', async () => {
  const request = { headers: new Headers(), body: '', address: '192.0.2.1' }
  const free = fakeMcp()
  expect(await admit(free.open(), request)).toBeNull()
  expect(free.callers).toEqual([[{ address: '192.0.2.1', accessToken: null }, 1]])
  const reached = { limit: 200, windowMs: 60_000, of: 'requests to a server' }
  const full = fakeMcp({ deps: { takeRequests: async () => ({ retryAfterSeconds: 9, reached }) } })
  expect(await admit(full.open(), request)).toMatchObject({ status: 429, headers: { 'retry-after': '9' } })
})
