import { gunzipSync } from 'node:zlib'
import { parseRobots } from '#net/robots-rules.ts'
import { decodeText } from '#extract/decode.ts'
import { docsifyOf } from '#extract/site/docsify.ts'
import { readStart } from '#extract/site/read-start.ts'
import { parseLlmsTxt } from '#extract/site/llms-txt.ts'
import { splitLlmsFull } from '#extract/site/llms-full.ts'
import { parseSitemap } from '#extract/site/sitemap.ts'

/** Limit of the sitemap protocol, which applies to decompressed bytes too. */
const MAX_SITEMAP_BYTES = 50 * 1024 * 1024

type Given = {
  url: string
  /** The response body, decompressed. */
  bytes: Uint8Array
  contentType?: string | null
  productToken?: string
}

/** Readers of files that describe a site, and of metadata in its pages. */
const READERS = {
  sitemap({ bytes, url }: Given) {
    const unpacked = unpackSitemap(bytes)
    return { ...parseSitemap(unpacked, url), bytes: unpacked.byteLength }
  },
  llmsTxt: ({ bytes, url }: Given) => parseLlmsTxt(new TextDecoder().decode(bytes), url),
  llmsFull: ({ bytes, url }: Given) => splitLlmsFull(new TextDecoder().decode(bytes), url),
  robots: ({ bytes, url, productToken = '' }: Given) => parseRobots(bytes, productToken, url),
  start: ({ bytes, url }: Given) => readStart(bytes, url),
  docsify: ({ bytes, url, contentType = null }: Given) => ({
    settings: docsifyOf(decodeText(bytes, contentType) ?? '', url),
  }),
} as const

export type ListKind = keyof typeof READERS

export type ListTask<K extends ListKind = ListKind> = Given & { list: K }

export type SiteList<K extends ListKind = ListKind> = { [one in K]: ReturnType<(typeof READERS)[one]> }[K]

/** Reads a site's list or metadata. */
export function readList<K extends ListKind>(task: ListTask<K>): SiteList<K> {
  // TypeScript cannot link the name to its function.
  return READERS[task.list](task) as SiteList<K>
}

/** Decompresses `sitemap.xml.gz`, which is a gzip file regardless of its Content-Encoding. */
function unpackSitemap(bytes: Uint8Array): Uint8Array {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_SITEMAP_BYTES })
  } catch {
    // Invalid gzip or a decompression bomb: treat it as empty.
    return new Uint8Array()
  }
}
