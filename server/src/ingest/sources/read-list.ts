import { gunzipSync } from 'node:zlib'
import { parseRobots } from '#net/robots-rules.ts'
import { decodeText } from '../extract/decode.ts'
import { docsifyOf } from '../extract/docsify.ts'
import { parseLlmsTxt } from './llms-txt.ts'
import { splitLlmsFull } from './llms-full.ts'
import { readStart } from './read-start.ts'
import { parseSitemap } from './sitemap.ts'

/** The sitemap protocol's own limit, on what is decompressed as well. */
const MAX_SITEMAP_BYTES = 50 * 1024 * 1024

type Given = {
  /** Where it was fetched from. */
  url: string
  /** The response body, decompressed. */
  bytes: Uint8Array
  contentType?: string | null
  /** Of our user agent, for robots.txt. */
  productToken?: string
}

/** What reads each kind of file that a site keeps beside its pages, or what a page says of its site. */
const READERS = {
  sitemap({ bytes, url }: Given) {
    const unpacked = unpackSitemap(bytes)
    return { ...parseSitemap(unpacked, url), bytes: unpacked.byteLength }
  },
  llmsTxt: ({ bytes, url }: Given) => parseLlmsTxt(new TextDecoder().decode(bytes), url),
  llmsFull: ({ bytes, url }: Given) => splitLlmsFull(new TextDecoder().decode(bytes), url),
  robots: ({ bytes, url, productToken = '' }: Given) => parseRobots(bytes, productToken, url),
  start: ({ bytes }: Given) => readStart(bytes),
  docsify: ({ bytes, url, contentType = null }: Given) => ({
    settings: docsifyOf(decodeText(bytes, contentType) ?? '', url),
  }),
} as const

export type ListKind = keyof typeof READERS

export type ListTask<K extends ListKind = ListKind> = Given & { list: K }

export type SiteList<K extends ListKind = ListKind> = { [one in K]: ReturnType<(typeof READERS)[one]> }[K]

/** Reads such a file, whatever is in it. */
export function readList<K extends ListKind>(task: ListTask<K>): SiteList<K> {
  // The compiler cannot see that one name leads to one function.
  return READERS[task.list](task) as SiteList<K>
}

/** `sitemap.xml.gz` is a gzip file as it is, beside whatever encoding it was sent in. */
function unpackSitemap(bytes: Uint8Array): Uint8Array {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_SITEMAP_BYTES })
  } catch {
    // Not gzip after all, or one that bursts: there is nothing in it to read.
    return new Uint8Array()
  }
}
