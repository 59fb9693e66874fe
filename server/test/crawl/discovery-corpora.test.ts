import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { normalizeUrl } from '#crawl/site-rules.ts'
import { parseSitemap } from '#extract/site/sitemap.ts'
import { checkUrl } from '#net/check-url.ts'
import { NetError } from '#net/net-error.ts'
import { openCorpus } from '../support/sites/corpora.ts'

const sitemaps = await openCorpus('sitemaps')
const urls = await openCorpus('url')

describe.skipIf(sitemaps === null)('sitemap of the corpus', () => {
  test.each([
    ['crawler-commons/sitemap.ns.xml', 2, 0],
    ['crawler-commons/sitemap.badns.xml', 2, 0],
    ['crawler-commons/sitemap.index.xml', 0, 15],
    ['crawler-commons/sitemap.txt', 2, 0],
    ['crawler-commons/sitemap.txt.gz', 5, 0],
    ['crawler-commons/xmlSitemap.gz', 5, 0],
    ['crawler-commons/extension/pagemaps-sitemap.xml', 2, 0],
    ['crawler-commons/extension/sitemap-images.xml', 1, 0],
    ['crawler-commons/extension/sitemap-mobile.xml', 3, 0],
    ['crawler-commons/extension/sitemap-news.xml', 2, 0],
    ['crawler-commons/extension/sitemap-videos.xml', 3, 0],
    ['sitemap.js/alltags.xml', 7, 0],
    ['sitemap.js/alltags-index.xml', 0, 2],
    ['sitemap.js/alltags-index.cdata.xml', 0, 2],
    ['sitemap.js/bad-tag-index.xml', 0, 2],
    ['sitemap.js/index-unescaped-lt.xml', 0, 2],
    // Its only location is not a valid URL.
    ['sitemap.js/unescaped-lt.xml', 0, 0],
    ['sitemap.js/cli-urls.json.bad.xml', 2, 0],
    ['sitemap.js/short-list.txt', 1000, 0],
    ['sitemap.js/cli-urls.txt', 2, 0],
    ['sitemap.js/video.xml', 1, 0],
  ])('reads %s: %i pages, %i sitemaps', async (file, pages, indexed) => {
    const bytes = await readFile(join(sitemaps ?? '', file))
    const map = parseSitemap(file.endsWith('.gz') ? gunzipSync(bytes) : bytes, 'http://www.example.com/sitemap.xml')
    expect([map.pages.length, map.sitemaps.length]).toEqual([pages, indexed])
  })
})

type UrlCase = { input: string; base?: string | null; href?: string; failure?: boolean }

describe.skipIf(urls === null)('URLs', () => {
  test('parses URLs as the WHATWG standard says', async () => {
    const cases: (UrlCase | string)[] = JSON.parse(await readFile(join(urls ?? '', 'urltestdata.json'), 'utf8'))
    const wrong = cases.filter((one): one is UrlCase => typeof one !== 'string').filter(isMisread)
    expect(cases.length).toBeGreaterThan(900)
    expect(wrong).toEqual([])
  })

  test('resolves URLs against the address of their page', async () => {
    const lines = (await readFile(join(urls ?? '', 'url-resolve.csv'), 'utf8')).split('\n')
    const cases = lines.filter((line) => !/^\s*(?:#|$)/.test(line)).map((line) => line.split(', ').map(unquote))
    expect(cases.length).toBeGreaterThan(20)
    for (const [input = '', base = '', expected = ''] of cases) {
      const resolved = base === '' ? URL.parse(input) : URL.parse(input, base)
      expect(resolved?.href, `${input} on ${base}`).toBe(URL.parse(expected)?.href)
    }
  })
})

/**
 * Checks that a URL is fetched only if it is valid, http(s) and without credentials, in the normal form of the
 * standard.
 */
function isMisread({ input, base, href, failure }: UrlCase): boolean {
  const mayBeFetched = !failure && /^https?:\/\/(?![^/]*@)/.test(href ?? '')
  const accepted = outcomeOf(() => checkUrl(input, base ?? undefined).href)
  const normal = normalizeUrl(input, base ?? undefined)
  if (!mayBeFetched) return accepted !== null || normal !== null
  // Valid, but no port to connect to, and that of another protocol.
  const hasBadPort = ['0', '21'].includes(URL.parse(href ?? '')?.port ?? '')
  return (!hasBadPort && accepted !== href) || normal !== normalizeUrl(href ?? '')
}

function outcomeOf(work: () => string): string | null {
  try {
    return work()
  } catch (error) {
    if (error instanceof NetError && error.reason === 'invalid_url') return null
    throw error
  }
}

function unquote(text: string): string {
  return text.replace(/^"(.*)"$/, '$1')
}
