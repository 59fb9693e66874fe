import { hashWord, isCode } from '#readers/text-hash.ts'
import { elementAt } from '#lib/arrays.ts'

/** Pages of one shape (`textShape`) whose links are followed, equal to the limit of query variants. */
const MOST_ALIKE = 60

/** Pages by which a site or one part of it is judged, and the share of them that must link to unknown pages. */
const JUDGED_PAGES = 100
const LEADING_ON = 0.9
/** Parts of a site, keyed by first path segment. Further ones share one part, as do random paths. */
const MOST_PARTS = 50
const OTHER_PARTS = '*'
/** Key of the whole site: a trap can have as many parts as pages, such as years. No path segment has a slash. */
const WHOLE_SITE = '/'
/** Bits for known URLs, several for each page that a source may have. */
const ADDRESS_BITS = 1 << 21

type JudgedPage = { url: string; shape: string | null; words: Uint32Array }

/** Pairs of neighbouring words outside the template: their number, and how many of them are known. */
type OrderScore = { pairs: number; known: number; shuffledPairs: number; shuffledKnown: number }

/**
 * Detects endlessly generated pages within one crawl. They repeat other pages or consist of random words, and only the
 * previous page links to the next one. Real pages are listed, or linked from several others.
 */
export function createSimilarPages() {
  const alike = new Map<string, number>()
  const known = createBitSet(ADDRESS_BITS)
  const texts = createRandomTextDetector()
  const parts = new Map<string, (OrderScore | null)[]>()

  /** Scores of the last pages of the site and of this part; null for pages that linked only to known ones. */
  const pagesOf = (url: string) => {
    const segment = new URL(url).pathname.split('/', 2)[1] ?? ''
    const part = parts.has(segment) || parts.size < MOST_PARTS ? segment : OTHER_PARTS
    return [WHOLE_SITE, part].map((name) => {
      const pages = parts.get(name) ?? []
      parts.set(name, pages)
      return pages
    })
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
    /** Whether to follow a page's links (in scope), and whether it is generated (`isMadeUp`). Call it once per page. */
    judge({ url, shape, words }: JudgedPage, links: readonly string[]): { leadsOn: boolean; isMadeUp: boolean } {
      const hashes = links.map(hashWord)
      const isNew = hashes.some((hash) => !known.has(hash))
      const groups = pagesOf(url)
      // Do not score pages that link only to known ones: they are the majority on most sites.
      const score = texts.note(words, { isScored: isNew })
      for (const pages of groups) {
        if (score !== 'unknown') pages.push(score)
        if (pages.length > JUDGED_PAGES) pages.shift()
      }
      const isEndless = isOneOfMany(shape) || (isNew && groups.some(isRandom))
      if (!isEndless) for (const hash of hashes) known.add(hash)
      return { leadsOn: !isEndless, isMadeUp: isEndless && isNew }
    },
  }
}

export type SimilarPages = ReturnType<typeof createSimilarPages>

/** Pages before scoring starts: earlier, hardly any word pair is known. */
const LEARNT_PAGES = 60
/** Pages per epoch, and how many of them must share a word or pair to make it part of the template. */
const EPOCH = 64
const TEMPLATE_PAGES = 16
/** Counters per epoch. 64 pages of 400 words have at most 50,000 words and pairs. */
const COUNTERS = 1 << 16
/** Bits for known pairs, and the share of them in use at most: some 2,000 pages, which is enough to learn from. */
const KNOWN_BITS = 1 << 20
const MOST_FILLED = 0.25

/**
 * Distinguishes random words from language over the pages of one crawl. Writers repeat pairs of neighbouring words. A
 * generator repeats them only by chance, as often as its shuffled words do. This holds for invented words, for words
 * from a list of any size and frequency, and for any language.
 */
function createRandomTextDetector() {
  const known = createBitSet(KNOWN_BITS)
  let previous = new Uint8Array(COUNTERS)
  let current = new Uint8Array(COUNTERS)
  let pages = 0
  const isTemplate = (hash: number) =>
    Math.max(elementAt(previous, hash % COUNTERS), elementAt(current, hash % COUNTERS)) >= TEMPLATE_PAGES

  const ownPairs = (words: Uint32Array) => [...pairsOf(words)].filter((pair) => !isTemplate(pair))

  const isOwn = (word: number, hasDigits: boolean) => !isTemplate(word) && isCode(word) === hasDigits

  const score = (words: Uint32Array): OrderScore => {
    const own = ownPairs(words)
    // Codes stand at the same places of generated pages, so they change places among themselves.
    const mixed = shuffle(words, (word) => isOwn(word, false))
    const shuffled = ownPairs(shuffle(mixed, (word) => isOwn(word, true)))
    const count = (pairs: number[]) => pairs.filter(known.has).length
    return { pairs: own.length, known: count(own), shuffledPairs: shuffled.length, shuffledKnown: count(shuffled) }
  }

  const learn = (words: Uint32Array) => {
    if (pages++ % EPOCH === 0) [previous, current] = [current, new Uint8Array(COUNTERS)]
    const pairs = pairsOf(words)
    for (const hash of [...new Set(words), ...pairs]) {
      const counter = hash % COUNTERS
      current[counter] = Math.min(TEMPLATE_PAGES, elementAt(current, counter) + 1)
    }
    if (known.filled() < MOST_FILLED) for (const pair of pairs) known.add(pair)
  }

  return {
    /** Learns the words of a page. Returns its score, null if not scored, `unknown` while too little is known. */
    note(words: Uint32Array, { isScored }: { isScored: boolean }): OrderScore | null | 'unknown' {
      const isKnown = pages >= LEARNT_PAGES
      const scored = isKnown && isScored ? score(words) : null
      // When the set is full, learn the template only, from scored pages.
      if (isScored || known.filled() < MOST_FILLED) learn(words)
      return isKnown ? scored : 'unknown'
    },
  }
}

/**
 * Pages with fewer pairs repeat the template, with numbers at most. The real pages below had 560 or more. More pairs
 * are enough to tell: at three hundred, random words differ by up to .04 by chance.
 */
const LEAST_PAIRS = 3 * JUDGED_PAGES
/**
 * Minimum difference between the shares of known pairs in original and shuffled order. The real pages were 38,000:
 * manuals of eight projects, manual pages in seven languages, one page for each of 9,000 functions. No hundred of them
 * in a row had less than .13. Of 20 kinds of random words none ever had more than .055, and most stayed below .03.
 */
const LEAST_ORDER = 0.05

function areRandom(scores: readonly OrderScore[]): boolean {
  const sum = (key: keyof OrderScore) => scores.reduce((total, score) => total + score[key], 0)
  const [pairs, shuffledPairs] = [sum('pairs'), sum('shuffledPairs')]
  if (pairs < LEAST_PAIRS || shuffledPairs < LEAST_PAIRS) return true
  return sum('known') / pairs - sum('shuffledKnown') / shuffledPairs < LEAST_ORDER
}

function pairsOf(words: Uint32Array): Set<number> {
  const pairs = new Set<number>()
  for (let at = 1; at < words.length; at++) pairs.add(hashPair(elementAt(words, at - 1), elementAt(words, at)))
  return pairs
}

/** Uses two multipliers, so that the order of the words matters. */
function hashPair(one: number, other: number): number {
  const mixed = Math.imul(one ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(other, 0xc2b2ae35)
  return (mixed ^ (mixed >>> 15)) >>> 0
}

/** Shuffles the words of one kind (Fisher-Yates), deterministically. */
function shuffle(words: Uint32Array, isOfKind: (word: number) => boolean): Uint32Array {
  const order = words.slice()
  const own = [...words.keys()].filter((at) => isOfKind(elementAt(words, at)))
  let state = own.length
  for (let last = own.length - 1; last > 0; last--) {
    // A linear congruential generator; its low bits have short periods and are dropped.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    const [one = 0, other = 0] = [own[last], own[(state >>> 8) % (last + 1)]]
    const word = elementAt(order, one)
    order[one] = elementAt(order, other)
    order[other] = word
  }
  return order
}

/** A set of 32-bit hashes in `size` bits (a power of two). `filled` is also its false positive rate. */
function createBitSet(size: number) {
  const bits = new Uint32Array(size >>> 5)
  let count = 0
  const has = (hash: number) => (elementAt(bits, (hash % size) >>> 5) & (1 << (hash & 31))) !== 0
  return {
    has,
    add(hash: number): void {
      if (has(hash)) return
      const word = (hash % size) >>> 5
      bits[word] = elementAt(bits, word) | (1 << (hash & 31))
      count++
    },
    filled: () => count / size,
  }
}
