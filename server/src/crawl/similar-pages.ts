import { hashWord } from '#processes/text-fingerprint.ts'
import { type OrderScore, areRandom, createBitSet, createRandomTextDetector } from './random-text.ts'

/**
 * Pages of one shape (`textShape`) whose links are followed, equal to the limit of query variants. Beyond it, a site is
 * generating pages endlessly, or the pages are stubs whose neighbours are linked from elsewhere too.
 */
const MOST_ALIKE = 60

/** Pages by which one part of a site is judged, and the share of them that must link to unknown pages. */
const JUDGED_PAGES = 150
const LEADING_ON = 0.9
/** Parts of a site, keyed by first path segment. Further ones share one part, as do random paths. */
const MOST_PARTS = 50
const OTHER_PARTS = '*'
/** Bits for known URLs, several for each page that a source may have. */
const ADDRESS_BITS = 1 << 21

type JudgedPage = { url: string; shape: string | null; words: Uint32Array }

/**
 * Detects endlessly generated pages within one crawl. They repeat other pages or consist of random words, and only the
 * previous page links to the next one. Real pages are listed, or linked from several others.
 */
export function createSimilarPages() {
  const alike = new Map<string, number>()
  const known = createBitSet(ADDRESS_BITS)
  const texts = createRandomTextDetector()
  const parts = new Map<string, (OrderScore | null)[]>()

  /** Scores of the last pages of this site part; null for pages that linked only to known ones. */
  const pagesOf = (url: string) => {
    const segment = new URL(url).pathname.split('/', 2)[1] ?? ''
    const part = parts.has(segment) || parts.size < MOST_PARTS ? segment : OTHER_PARTS
    const pages = parts.get(part) ?? []
    parts.set(part, pages)
    return pages
  }

  const isRandom = (pages: readonly (OrderScore | null)[]) => {
    const scores = pages.filter((score) => score !== null)
    return pages.length === JUDGED_PAGES && scores.length >= JUDGED_PAGES * LEADING_ON && areRandom(scores)
  }

  const isOneOfMany = (shape: string | null) => {
    if (shape === null) return false
    const count = (alike.get(shape) ?? 0) + 1
    alike.set(shape, count)
    return count > MOST_ALIKE
  }

  return {
    /** Notes URLs that the site lists itself: links to them are not new. */
    list(urls: Iterable<string>): void {
      for (const url of urls) known.add(hashWord(url))
    },
    /**
     * Returns whether to follow the links of a page (`leadsOn`), and whether it is generated (`isMadeUp`). `links` are
     * its in-scope URLs. Call it once per page.
     */
    judge({ url, shape, words }: JudgedPage, links: readonly string[]): { leadsOn: boolean; isMadeUp: boolean } {
      const hashes = links.map(hashWord)
      const isNew = hashes.some((hash) => !known.has(hash))
      const pages = pagesOf(url)
      // Do not score pages that link only to known ones: they are the majority on most sites.
      const score = texts.note(words, { isScored: isNew })
      if (score !== 'unknown') pages.push(score)
      if (pages.length > JUDGED_PAGES) pages.shift()
      const isEndless = isOneOfMany(shape) || (isNew && isRandom(pages))
      if (!isEndless) for (const hash of hashes) known.add(hash)
      return { leadsOn: !isEndless, isMadeUp: isEndless && isNew }
    },
  }
}

export type SimilarPages = ReturnType<typeof createSimilarPages>
