import { parseLlmsTxt } from './llms-txt.ts'
import { splitLlmsFull } from './llms-full.ts'
import { parseSitemap } from './sitemap.ts'

/** What reads each kind of list that a site keeps of its pages. */
const READERS = {
  sitemap: (bytes: Uint8Array, url: string) => parseSitemap(bytes, url),
  llmsTxt: (bytes: Uint8Array, url: string) => parseLlmsTxt(new TextDecoder().decode(bytes), url),
  llmsFull: (bytes: Uint8Array, url: string) => splitLlmsFull(new TextDecoder().decode(bytes), url),
} as const

export type ListKind = keyof typeof READERS

/** A list as it came, decompressed, and where it was fetched from. */
export type ListTask<K extends ListKind = ListKind> = { list: K; url: string; bytes: Uint8Array }

export type SiteList<K extends ListKind = ListKind> = { [one in K]: ReturnType<(typeof READERS)[one]> }[K]

/** Reads a list of a site, whatever is in it. */
export function readList<K extends ListKind>({ list, url, bytes }: ListTask<K>): SiteList<K> {
  // The compiler cannot see that one name leads to one function.
  return READERS[list](bytes, url) as SiteList<K>
}
