import type { Db, Store } from '#store/db.ts'
import type { PageCounts } from '#store/pages/page-report.ts'
import { findPages, insertDiscovered } from '#store/pages/pages.ts'
import type { PageLink } from '#extract/extracted-page.ts'
import { listNavigationTexts, saveNavigationTexts } from '#store/pages/texts.ts'
import type { CrawlUsage } from './crawl-budget.ts'
import { MAX_LONG_URLS, clipUrl, isTooLong } from './crawl-trap.ts'

/** A URL, and the number of links or redirects that lead to it. */
export type FoundUrl = { url: string; depth: number }

/** Pages per source: several times the largest known documentation, and minutes of reading. */
const MOST_PAGES = 100_000
/** Characters in all URLs of a source. Documentation URLs have 60 to 120, each stored in row and index. */
const MOST_CHARACTERS = 20_000_000

/** URLs per transaction, and their characters: a page can link to thousands, a trap with 2,000 characters each. */
const AT_ONCE = { pages: 250, characters: 150_000 } as const

export type UrlLimits = {
  /** Total characters of the source's URLs, from `sizeOfAddresses`. */
  characters: number
  mostPages?: number
  mostCharacters?: number
}

type Options = UrlLimits & { sourceId: string; counts: Readonly<PageCounts>; usage: CrawlUsage }

export class FoundUrls {
  readonly #options: Required<Options>
  readonly #usage: CrawlUsage
  #characters: number

  constructor(options: Options) {
    this.#options = { mostPages: MOST_PAGES, mostCharacters: MOST_CHARACTERS, ...options }
    this.#usage = options.usage
    this.#characters = options.characters
  }

  /** Adds URLs while the source has room, and the first beyond it for the report. Returns the number added. */
  async insert(tx: Db, pages: readonly FoundUrl[]): Promise<number> {
    const added = await this.#insertLong(tx, pages)
    const fitting = pages.filter(({ url }) => !isTooLong(url))
    return added + (fitting.length > 0 ? await this.#insertFitting(tx, fitting, added) : 0)
  }

  /** Returns the reason to skip the first URL beyond the source's room; null for any other. */
  refusalOf(url: string): string | null {
    if (url !== this.#usage.beyond) return null
    const why =
      this.#pages() > this.#options.mostPages
        ? `more than ${this.#options.mostPages} pages`
        : `addresses of more than ${this.#options.mostCharacters} characters`
    return `The source has ${why}. What comes after is not read.`
  }

  #pages(): number {
    const { queued, indexed, skipped, failed } = this.#options.counts
    return queued + indexed + skipped + failed
  }

  async #insertFitting(tx: Db, pages: FoundUrl[], before: number): Promise<number> {
    if (this.#usage.beyond !== null) return 0
    const room = Math.max(0, this.#options.mostPages - this.#pages() - before)
    let taken = pages
    if (pages.length > room || this.#characters + lengthOf(pages) > this.#options.mostCharacters) {
      const urls = pages.map(({ url }) => url)
      const known = new Set((await findPages(tx, this.#options.sourceId, urls)).map(({ url }) => url))
      const further = pages.filter(({ url }) => !known.has(url))
      const fit = countFitting(further, room, this.#options.mostCharacters - this.#characters)
      taken = further.slice(0, fit + 1)
      this.#usage.beyond = further[fit]?.url ?? null
    }
    return this.#insertAll(tx, taken)
  }

  async #insertLong(tx: Db, pages: readonly FoundUrl[]): Promise<number> {
    if (this.#usage.longUrls >= MAX_LONG_URLS) return 0
    const long = pages.filter(({ url }) => isTooLong(url)).map(({ url, depth }) => ({ url: clipUrl(url), depth }))
    const added = await this.#insertAll(tx, long.slice(0, MAX_LONG_URLS - this.#usage.longUrls))
    this.#usage.longUrls += added
    return added
  }

  async #insertAll(tx: Db, pages: FoundUrl[]): Promise<number> {
    const added = await insertDiscovered(tx, this.#options.sourceId, pages)
    this.#characters += added.characters
    return added.pages
  }
}

/** Splits found URLs into batches for one transaction each, in order. */
export function batchesOf(pages: readonly FoundUrl[]): FoundUrl[][] {
  const batches: FoundUrl[][] = []
  let characters = Infinity
  for (const page of pages) {
    const batch = batches.at(-1)
    characters += page.url.length
    if (batch && batch.length < AT_ONCE.pages && characters <= AT_ONCE.characters) batch.push(page)
    else {
      batches.push([page])
      characters = page.url.length
    }
  }
  return batches
}

function lengthOf(pages: readonly FoundUrl[]): number {
  return pages.reduce((sum, { url }) => sum + url.length, 0)
}

function countFitting(pages: readonly FoundUrl[], rows: number, characters: number): number {
  let left = characters
  const at = pages.findIndex(({ url }, index) => {
    left -= url.length
    return index >= rows || left < 0
  })
  return at < 0 ? pages.length : at
}

export type LinkText = [url: string, text: string]

/** Longer link texts describe the linking page, or hold a whole card. */
const MAX_TEXT = 80
/** Links kept per page; a page with more is a list of everything. */
const MAX_LINKS = 200
/** Characters of the kept URLs: 160 each. */
const MAX_CHARACTERS = 32_000

const GENERIC =
  /^(?:click )?(?:here|this|that|it|link|links?|(?:this|the|that|next|previous|prev|home|main|same) (?:page|one|section|article|link|document|guide)|(?:read|learn|see|show|view|find out|load)? ?more(?: (?:about (?:this|it)|here|info(?:rmation)?|details))?|details?|info|next|prev(?:ious)?|back|forward|continue|home(?: ?page)?|index|top|up|down|skip(?: to .*)?|(?:edit|improve|suggest|report|view|fork|star|open|see|source|history)(?: .*)?\b(?:page|github|gitlab|source|changes|issue|an edit)|edit|source|\[?src\]?|permalink|anchor|link to this .*|(?:table of )?contents|on this page|back to .*|menu|search|log ?in|sign (?:in|up)|docs|documentation|hier|ici|aqu[ií]|mehr|weiter|zur[üu]ck|siguiente|suivant|anterior)$/iu

/** Normalizes a link text, or returns null if it does not describe its target. */
export function tellingText(text: string): string | null {
  const line = text.replace(/^[\s«‹←→›»¶#]+|(?<![\s«‹←→›»¶#])[\s«‹←→›»¶#]+$/gu, '')
  if (line.length > MAX_TEXT || !/\p{L}.*[\p{L}\p{N}]|\p{Script=Han}/u.test(line)) return null
  return GENERIC.test(line.replace(/(?<![.…»›→:])[.…»›→:]+$/u, '')) || /^(?:https?:\/\/|www\.)\S+$/i.test(line)
    ? null
    : line
}

/** Collects descriptive link texts from the content of a page. `links` have normalized URLs. */
export function contentTexts(links: Iterable<PageLink>, page: string): LinkText[] {
  const texts: LinkText[] = []
  let characters = 0
  for (const { url, text, inContent } of links) {
    const telling = inContent && url !== page ? tellingText(text) : null
    if (telling === null) continue
    characters += url.length
    if (texts.length >= MAX_LINKS || characters > MAX_CHARACTERS) break
    texts.push([url, telling])
  }
  return texts
}

/** Names kept per page: navigation uses the same one nearly everywhere. */
const MAX_NAMES = 3

/** Collects the names that a site's navigation gives to its pages. */
export function collectNavigation() {
  const texts = new Map<string, string[]>()
  return {
    texts: texts as ReadonlyMap<string, string[]>,
    note(links: Iterable<PageLink>): void {
      for (const { url, text, inContent } of links) {
        if (inContent) continue
        const known = texts.get(url)
        if (known !== undefined && (known.length >= MAX_NAMES || known.includes(text))) continue
        const telling = tellingText(text)
        if (telling === null || known?.includes(telling)) continue
        if (known) known.push(telling)
        else texts.set(url, [telling])
      }
    },
  }
}

export type Navigation = ReturnType<typeof collectNavigation>

/** Saves the collected names. A refresh sees few pages, so stored names stay while one of them is in use. */
export async function saveNavigation({ read, write }: Store, sourceId: string, { texts }: Navigation): Promise<void> {
  if (texts.size === 0) return
  const changed: [url: string, anchorTexts: string][] = []
  for (const { url, anchorTexts } of await listNavigationTexts(read, sourceId)) {
    const names = texts.get(url)
    const known = JSON.parse(anchorTexts ?? '[]') as string[]
    if (names && !names.some((name) => known.includes(name))) changed.push([url, JSON.stringify(names)])
  }
  await saveNavigationTexts(write, sourceId, changed)
}
