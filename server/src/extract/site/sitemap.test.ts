import { describe, expect, test } from 'vitest'
import { parseSitemap } from './sitemap.ts'
import { cpuSeconds } from '../../../test/support/lib/cpu-seconds.ts'

const FROM = 'https://a.dev/sitemap.xml'

function parse(text: string, from = FROM) {
  return parseSitemap(new TextEncoder().encode(text), from)
}

function pagesOf(text: string) {
  return parse(text).pages.map(({ url }) => url)
}

const URLSET = '<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'

describe('a sitemap', () => {
  test('lists pages with the time of their last change', () => {
    const map = parse(`${URLSET}
      <url><loc> https://a.dev/1?a=1&amp;b=2 </loc><lastmod>2031-01-02</lastmod><priority>1</priority></url>
      <url><lastmod>yesterday</lastmod><loc><![CDATA[https://a.dev/2]]></loc></url>
      <url><loc>/3</loc></url></urlset>`)
    expect(map).toEqual({
      pages: [
        { url: 'https://a.dev/1?a=1&b=2', lastModified: Date.UTC(2031, 0, 2) },
        { url: 'https://a.dev/2', lastModified: null },
        { url: 'https://a.dev/3', lastModified: null },
      ],
      sitemaps: [],
      problems: [],
    })
  })

  test('omits locations longer than the protocol allows', () => {
    const location = (length: number) => 'https://a.dev/'.padEnd(length, 'x')
    const map = parse(
      `${URLSET}${[2_047, 2_048, 7_900].map((n) => `<url><loc>${location(n)}</loc></url>`).join('')}</urlset>`,
    )
    expect(map.pages.map(({ url }) => url.length)).toEqual([2_047])
    expect(map.problems).toEqual(['Some entries are longer than 2047 characters.'])
  })

  test('reads up to eight million characters of locations', () => {
    const location = (at: number) => `https://a.dev/${at}-`.padEnd(2_000, 'x')
    const map = (entries: number) => parse(Array.from({ length: entries }, (_, at) => location(at)).join('\n'))
    expect(map(4_000)).toMatchObject({ pages: { length: 4_000 }, problems: [] })
    expect(map(4_001)).toMatchObject({ pages: { length: 4_000 }, problems: ['Only the first 4000 entries were read.'] })
  })

  test('lists the sitemaps of an index', () => {
    const map = parse('<sitemapindex><sitemap><loc>https://a.dev/b.xml.gz</loc></sitemap></sitemapindex>')
    expect(map).toEqual({ pages: [], sitemaps: [{ url: 'https://a.dev/b.xml.gz', lastModified: null }], problems: [] })
  })

  test('accepts locations without an entry element', () => {
    const map = parse('<sitemapindex><sitemap>\nhttps://a.dev/b.xml?x&amp;y\n</sitemap><sitemap>https://a.dev/lon')
    expect(map.sitemaps.map(({ url }) => url)).toEqual(['https://a.dev/b.xml?x&y'])
  })

  test('reads a plain text sitemap', () => {
    expect(pagesOf('\ufeffhttps://a.dev/1\r\n\n  https://a.dev/2  \nnot a url\u0000:\n')).toContain('https://a.dev/2')
  })

  test('accepts namespace prefixes, and ignores images and alternates', () => {
    expect(
      pagesOf(`<s:urlset xmlns:s="x" xmlns:image="y"><s:url><s:loc>https://a.dev/1</s:loc>
        <image:image><image:loc>https://a.dev/1.png</image:loc></image:image>
        <xhtml:link rel="alternate" hreflang="de" href="https://a.dev/de/1"/></s:url></s:urlset>`),
    ).toEqual(['https://a.dev/1'])
  })

  test('decodes a sitemap in another encoding', () => {
    const latin = Buffer.from(
      '<?xml version="1.0" encoding="ISO-8859-1"?><urlset><url><loc>https://a.dev/\u00e9</loc></url></urlset>',
      'latin1',
    )
    expect(parseSitemap(latin, FROM).pages[0]?.url).toBe('https://a.dev/%C3%A9')
    const wide = Buffer.from('\ufeff<urlset><url><loc>https://a.dev/\u00e9</loc></url></urlset>', 'utf16le')
    expect(parseSitemap(wide, FROM).pages[0]?.url).toBe('https://a.dev/%C3%A9')
  })

  test('lists each page once', () => {
    expect(pagesOf('https://a.dev/1\nhttps://a.dev/1\nhttps://a.dev')).toEqual(['https://a.dev/1', 'https://a.dev/'])
  })
})

describe('a broken sitemap', () => {
  test('reads the complete entries of a truncated file', () => {
    const map = parse(`${URLSET}<url><loc>https://a.dev/1</loc></url><url><loc>https://a.dev/lon`)
    expect(map.pages.map(({ url }) => url)).toEqual(['https://a.dev/1'])
    expect(map.problems).toEqual(['The file is cut off or not well-formed.'])
  })

  test('reads the valid entries among misplaced tags', () => {
    const map = parse(`${URLSET}<url><loc>https://a.dev/1</loc><lastmod>2031<</lastmod></url>
      <url><loc>https://a.dev/2?x=1&y=2</loc></priority></url><foo/><url><loc>https://a.dev/3</loc></url></urlset>`)
    expect(map.pages.map(({ url }) => url)).toEqual(['https://a.dev/1', 'https://a.dev/2?x=1&y=2', 'https://a.dev/3'])
  })

  test('reports a web page as not a sitemap', () => {
    expect(parse('<!doctype html><html><a href="/x">x</a></html>').problems).toEqual(['This is not a sitemap.'])
  })

  test('omits and reports URLs with other schemes', () => {
    const map = parse(`${URLSET}<url><loc>file:///etc/passwd</loc></url><url><loc>javascript:x</loc></url></urlset>`)
    expect(map).toEqual({ pages: [], sitemaps: [], problems: ['Some entries are not http or https URLs.'] })
  })

  test('does not expand nested entities', () => {
    const entities = Array.from({ length: 10 }, (_, index) => `<!ENTITY l${index + 1} "${`&l${index};`.repeat(10)}">`)
    const xml = `<?xml version="1.0"?><!DOCTYPE l [<!ENTITY l0 "lol">${entities.join('')}]><urlset><url><loc>&l10;</loc></url></urlset>`
    expect(cpuSeconds(() => parse(xml))).toBeLessThan(1)
  })

  test('reads a hostile file in bounded time', () => {
    const [blanks, deep] = [' '.repeat(200_000), '<a>'.repeat(200_000)]
    for (const text of [`x${blanks}x`, deep, `${URLSET}${deep}`, deep + '</a>'.repeat(200_000)])
      expect(
        cpuSeconds(() => parse(text)),
        text.slice(0, 12),
      ).toBeLessThan(1)
  })

  test('stops reading at the depth limit', () => {
    const at = (depth: number) =>
      `${URLSET}${'<x>'.repeat(depth)}${'</x>'.repeat(depth)}<url><loc>/a</loc></url></urlset>`
    expect(parse(at(49)).pages).toHaveLength(1)
    expect(parse(at(50))).toMatchObject({ pages: [], problems: ['The file is cut off or not well-formed.'] })
  })

  test('reads the pages of an RSS feed without dates, which are those of the first publication', () => {
    const map = parse(`<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><link>https://a.dev/</link>
      <atom:link href="https://a.dev/feed.xml" rel="self"/><item><title>One</title><link>https://a.dev/one</link>
      <pubDate>Mon, 02 Mar 2020 00:00:00 GMT</pubDate><source><link>https://b.dev/</link></source></item></channel></rss>`)
    expect(map).toEqual({ pages: [{ url: 'https://a.dev/one', lastModified: null }], sitemaps: [], problems: [] })
  })

  test('reads the pages of an Atom feed with their dates', () => {
    const map = parse(`<feed xmlns="http://www.w3.org/2005/Atom"><link href="/"/><updated>2021-01-01T00:00:00Z</updated>
      <entry><link rel="replies" href="/one/comments"/><link href="/one" rel="alternate"/><link href="/other"/>
      <updated>2020-03-02T00:00:00Z</updated><source><updated>2022-01-01T00:00:00Z</updated></source></entry></feed>`)
    const lastModified = Date.parse('2020-03-02')
    expect(map).toMatchObject({ pages: [{ url: expect.stringMatching(/\/one$/), lastModified }], problems: [] })
  })

  test('reads the first 50,000 entries of a long file', () => {
    const map = parse(Array.from({ length: 60_000 }, (_, index) => `https://a.dev/${index}`).join('\n'))
    expect(map.pages).toHaveLength(50_000)
    expect(map.problems).toEqual(['Only the first 50000 entries were read.'])
  })
})
