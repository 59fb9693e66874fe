import { createBitSet } from './bit-set.ts'
import { hashWord } from './hash-word.ts'
import { type OrderScore, areRandom, createRandomTextDetector } from './random-text.ts'

/**
 * Pages of one shape (`textShape`) that lead on, as many as there are variants of a page by its query. More of them is a
 * site that makes up pages without end; or stubs, whose neighbours others lead to as well.
 */
const MOST_ALIKE = 60

/** Pages of one part of a site by which it is judged, and how many of them lead where nothing else leads. */
const JUDGED_PAGES = 150
const LEADING_ON = 0.9
/** Parts of a site by the first segment of their path; what comes after is one part, as that of random paths. */
const MOST_PARTS = 50
const OTHER_PARTS = '*'
/** Bits for addresses that are known, several for each page that a source may have. */
const ADDRESS_BITS = 1 << 21

type JudgedPage = { url: string; shape: string | null; words: Uint32Array }

/**
 * Tells over one crawl which pages are made up without end: they say the same as others, or random words, and nothing but
 * the page before leads to the next one. Real pages are listed, or led to by several others.
 */
export function createLookalikes() {
  const alike = new Map<string, number>()
  const known = createBitSet(ADDRESS_BITS)
  const texts = createRandomTextDetector()
  const parts = new Map<string, (OrderScore | null)[]>()

  /** Of the last pages of this part of the site those that led on; null where another page did not. */
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
    /** Notes addresses that the site lists itself: whoever leads to them leads to nothing new. */
    list(urls: Iterable<string>): void {
      for (const url of urls) known.add(hashWord(url))
    },
    /**
     * Whether the links of a page are followed (`leadsOn`), and whether it is made up. `links` are the addresses of the
     * source's pages that it links to. To be asked once for each page.
     */
    judge({ url, shape, words }: JudgedPage, links: readonly string[]): { leadsOn: boolean; isMadeUp: boolean } {
      const hashes = links.map(hashWord)
      const isNew = hashes.some((hash) => !known.has(hash))
      const pages = pagesOf(url)
      // A page that leads to nothing new is not scored: most pages of most sites are such.
      const score = texts.note(words, { isScored: isNew })
      if (score !== 'unknown') pages.push(score)
      if (pages.length > JUDGED_PAGES) pages.shift()
      const isEndless = isOneOfMany(shape) || (isNew && isRandom(pages))
      if (!isEndless) for (const hash of hashes) known.add(hash)
      return { leadsOn: !isEndless, isMadeUp: isEndless && isNew }
    },
  }
}

export type Lookalikes = ReturnType<typeof createLookalikes>
