import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { LeaseLost } from '#jobs/errors.ts'
import type { Db } from '#store/db.ts'
import {
  type NewText,
  type PageCounts,
  type PageOutcome,
  type PageState,
  countPages,
  deleteUnsettled,
  findPages,
  SAME_TEXT,
  findSameText,
  insertDiscovered,
  insertText,
  keepPages,
  leaveUnsettled,
  requeueOrphans,
  settlePage,
  sizeOfPage,
} from '#store/pages.ts'
import { saveCounts } from '#store/sources.ts'
import { type CrawlBudget, type Exhausted, costOf, isBloated } from './crawl-budget.ts'
import type { UnderLease } from './under-lease.ts'
import { MAX_LONG_URLS, MAX_URL_LENGTH, clipUrl, isTooLong } from './url-length.ts'

/** What became of one page: its row, the text if it is new, and the addresses found on it. */
export type Settled = {
  outcome: PageOutcome & { state: PageState }
  /** The state before, so that the counts can follow. */
  before: PageState
  /** What it cost to find out that the page is not to be indexed; 0 where nothing was fetched for it. */
  cost?: number
  /** The page is indexed, and one of endlessly many: no use for the crawl. */
  isMadeUp?: boolean
  text?: NewText
  discovered: { url: string; depth: number }[]
}

/**
 * Pages are written together: a transaction for each would cost more than the page. As many as this, or as come within
 * this time; a crash loses no more than these, and they are fetched again.
 */
const BATCH = 32
const BATCH_MS = 100

/**
 * Addresses that are remembered as written. Each page links to the same ones again, its navigation most of all; beyond
 * this it is all forgotten, and the store tells which are new.
 */
const REMEMBERED = 10_000

/** Addresses that one transaction adds: an index of a reference leads to thousands of pages. */
const ADDRESSES_AT_ONCE = 250

/** What a page costs that is one of endlessly many, in pages that are merely empty: there is no doubt about it. */
const COST_OF_MADE_UP = 3

/** Pages that one transaction leaves: some 5 ms on SQLite. */
const LEFT_AT_ONCE = 1_000

/** Addresses of one source: several times the largest documentation there is, and some minutes of reading. */
const MOST_PAGES = 100_000
/** Addresses of documentation have 60 to 120 characters. They are stored twice, in the row and in an index. */
const MOST_CHARACTERS = 20_000_000

/** Validators that are longer are not kept, and the page is fetched whole each time. Real ones have some dozen. */
const MAX_VALIDATOR = 1_000
const MAX_TITLE = 1_000
/** A sentence, with the longest address. */
const MAX_DETAIL = MAX_URL_LENGTH + 500

type Options = {
  underLease: UnderLease
  sourceId: string
  run: number
  counts: PageCounts
  budget: CrawlBudget
  /** Characters of the addresses that the source has, as `sizeOfAddresses` gives them. */
  characters: number
  /** Addresses that the source may have; default 100,000. */
  mostPages?: number
  /** Characters of all of them; default 20 million. */
  mostCharacters?: number
  /** What is not settled by this crawl will not stay: a page is no duplicate of what is about to go. */
  isWhole: boolean
}

/** Where a crawl writes what became of its pages. A crawl that has lost its lease fails with `LeaseLost`. */
export function openCrawlStore({
  underLease,
  sourceId,
  run,
  counts,
  budget,
  isWhole,
  mostPages = MOST_PAGES,
  mostCharacters = MOST_CHARACTERS,
  ...options
}: Options) {
  const { usage } = budget
  let { characters } = options
  let waiting: Settled[] = []
  const written = new Set<string>()
  let writing: Promise<void> = Promise.resolve()
  let timer: Promise<void> | null = null

  /** Adds as many of the addresses as the source has room for, and the first beyond, to tell of it. Returns how many. */
  const insert = async (tx: Db, pages: Settled['discovered']): Promise<number> => {
    const added = await insertLong(tx, pages)
    const fitting = pages.filter(({ url }) => !isTooLong(url))
    return added + (fitting.length > 0 ? await insertFitting(tx, fitting, added) : 0)
  }

  const insertFitting = async (tx: Db, pages: Settled['discovered'], before: number): Promise<number> => {
    if (usage.beyond !== null) return 0
    const { queued, indexed, skipped, failed } = counts
    const room = Math.max(0, mostPages - queued - indexed - skipped - failed - before)
    let taken = pages
    if (pages.length > room || characters + lengthOf(pages) > mostCharacters) {
      const urls = pages.map(({ url }) => url)
      const known = new Set((await findPages(tx, sourceId, urls)).map(({ url }) => url))
      const further = pages.filter(({ url }) => !known.has(url))
      const fit = countFitting(further, room, mostCharacters - characters)
      taken = further.slice(0, fit + 1)
      usage.beyond = further[fit]?.url ?? null
    }
    const added = await insertDiscovered(tx, sourceId, taken)
    characters += added.characters
    return added.pages
  }

  const insertLong = async (tx: Db, pages: Settled['discovered']): Promise<number> => {
    if (usage.longUrls >= MAX_LONG_URLS) return 0
    const long = pages.filter(({ url }) => isTooLong(url)).map(({ url, depth }) => ({ url: clipUrl(url), depth }))
    const added = await insertDiscovered(tx, sourceId, long.slice(0, MAX_LONG_URLS - usage.longUrls))
    usage.longUrls += added.pages
    characters += added.characters
    return added.pages
  }

  const addAddresses = async (pages: Settled['discovered']) => {
    for (let from = 0; from < pages.length; from += ADDRESSES_AT_ONCE) {
      await underLease(async (tx) => {
        const added = await insert(tx, pages.slice(from, from + ADDRESSES_AT_ONCE))
        const after = { ...counts, queued: counts.queued + added, toGo: counts.toGo + added }
        if (!(await saveCounts(tx, sourceId, after, budget.save()))) throw new LeaseLost()
        Object.assign(counts, after)
      })
      await nextTurn()
    }
  }

  const write = async (batch: readonly Settled[]) => {
    const discovered = newAddresses(batch, written)
    // Before the pages that lead to them: where this is interrupted, those are read again.
    await addAddresses(discovered.slice(ADDRESSES_AT_ONCE))
    const after = { ...counts }
    const noted: (() => void)[] = []
    await underLease(async (tx) => {
      const added = await insert(tx, discovered.slice(0, ADDRESSES_AT_ONCE))
      after.queued += added
      after.toGo += added - batch.length
      for (const { outcome, before, text, cost = 0, isMadeUp = false } of batch) {
        const final = bounded(await markDuplicate(outcome))
        const isNew = text !== undefined && final.state === 'indexed'
        const had = before === 'indexed' && (isNew || final.state !== 'indexed') ? await sizeOfPage(tx, outcome.id) : 0
        if (isNew) await insertText(tx, sourceId, text)
        await settlePage(tx, run, final)
        const grown = (isNew ? text.size : 0) - had
        noted.push(() => {
          if (text) budget.expected(-text.size)
          if (final.state === 'indexed' && !isMadeUp && !(text && isBloated(cost, text.size))) budget.gained(grown)
          else budget.wasted(Math.max(cost, isMadeUp ? COST_OF_MADE_UP : 0, text ? costOf(text.size) : 0), grown)
        })
        after[before] -= 1
        after[final.state] += 1
      }
      if (!(await saveCounts(tx, sourceId, after, budget.save()))) throw new LeaseLost()

      async function markDuplicate(outcome: Settled['outcome']): Promise<Settled['outcome']> {
        if (outcome.state !== 'indexed' || !outcome.textHash) return outcome
        const { textHash, id } = outcome
        const twin = await findSameText(tx, sourceId, { textHash, otherThan: id, since: isWhole ? run : 0 })
        if (!twin) return outcome
        const detail = `${SAME_TEXT}${twin.url}`
        return { ...outcome, state: 'skipped', reason: 'duplicate', detail, textHash: null, published: 0, chunks: 0 }
      }
    })
    Object.assign(counts, after)
    for (const note of noted) note()
    if (written.size > REMEMBERED) written.clear()
    for (const { url } of discovered) written.add(url)
  }

  const flush = (): Promise<void> => {
    const batch = waiting
    waiting = []
    if (batch.length > 0) writing = writing.then(() => write(batch))
    return writing
  }

  return {
    counts,
    /** Notes a page's outcome. Resolves at once, or, when a batch is full, after it has been written. */
    async settle(settled: Settled): Promise<void> {
      const discovered = settled.discovered.map((page) =>
        isTooLong(page.url) ? { ...page, url: clipUrl(page.url) } : page,
      )
      waiting.push({ ...settled, discovered })
      if (settled.text) budget.expected(settled.text.size)
      if (waiting.length >= BATCH) return flush()
      // A failed write is thrown to whoever flushes next; here nobody would hear it.
      timer ??= sleep(BATCH_MS).then(() => {
        timer = null
        void flush().catch(() => {})
      })
      return undefined
    },
    /** Adds addresses to go. */
    async discover(pages: { url: string; depth: number }[]): Promise<void> {
      writing = writing.then(() => addAddresses(pages))
      return writing
    },
    /** Whether no address is added any more. */
    isFull: (): boolean => usage.beyond !== null || budget.exhausted() !== null,
    /** Why a page is not read, where it is the one that the source has no room for any more. */
    refusalOf(url: string): string | null {
      if (url !== usage.beyond) return null
      const { queued, indexed, skipped, failed } = counts
      const isFull = queued + indexed + skipped + failed > mostPages
      const why = isFull ? `more than ${mostPages} pages` : `addresses of more than ${mostCharacters} characters`
      return `The source has ${why}. What comes after is not read.`
    },
    /** Settles the pages whose addresses begin so, and that this crawl has not settled, as they were. */
    async keep(prefix: string): Promise<void> {
      await flush()
      writing = writing.then(async () => {
        await underLease(async (tx) => {
          await keepPages(tx, { sourceId, run, prefix })
          Object.assign(counts, await countPages(tx, sourceId, run))
          if (!(await saveCounts(tx, sourceId, counts, budget.save()))) throw new LeaseLost()
        })
      })
      return writing
    },
    /** Puts pages back that were left out for one which is not there any more after all. Returns how many. */
    async requeueOrphans(): Promise<number> {
      await flush()
      return underLease(async (tx) => {
        const pages = await requeueOrphans(tx, sourceId, run)
        Object.assign(counts, await countPages(tx, sourceId, run))
        return pages
      })
    },
    /** Settles what this crawl has not settled without looking at it: new pages are skipped, all others stay. */
    async leaveRest({ reason, detail }: Exhausted): Promise<void> {
      await flush()
      let left = 0
      do {
        left = await underLease(async (tx) => {
          const pages = await leaveUnsettled(tx, { sourceId, run, limit: LEFT_AT_ONCE, reason, detail })
          if (pages > 0) return pages
          Object.assign(counts, await countPages(tx, sourceId, run))
          if (!(await saveCounts(tx, sourceId, counts, budget.save()))) throw new LeaseLost()
          return 0
        })
        await nextTurn()
      } while (left > 0)
    },
    /** Deletes the pages that this crawl has not settled: they are not part of the source any more. */
    async forgetUnsettled(): Promise<void> {
      writing = writing.then(async () => {
        await underLease(async (tx) => {
          await deleteUnsettled(tx, sourceId, run)
          Object.assign(counts, await countPages(tx, sourceId, run))
          if (!(await saveCounts(tx, sourceId, counts, budget.save()))) throw new LeaseLost()
        })
      })
      return writing
    },
    /** Writes what is waiting. Throws what any write since the last flush has thrown. */
    flush,
  }
}

function lengthOf(pages: Settled['discovered']): number {
  return pages.reduce((sum, { url }) => sum + url.length, 0)
}

/** How many of the first pages fit into so many rows and characters. */
function countFitting(pages: Settled['discovered'], rows: number, characters: number): number {
  let left = characters
  const at = pages.findIndex(({ url }, index) => {
    left -= url.length
    return index >= rows || left < 0
  })
  return at < 0 ? pages.length : at
}

/** The outcome without more of what its host said than is of use. */
function bounded(outcome: Settled['outcome']): Settled['outcome'] {
  const { etag, lastModified, title, detail } = outcome
  return {
    ...outcome,
    ...(etag && etag.length > MAX_VALIDATOR ? { etag: null } : {}),
    ...(lastModified && lastModified.length > MAX_VALIDATOR ? { lastModified: null } : {}),
    ...(title && title.length > MAX_TITLE ? { title: title.slice(0, MAX_TITLE) } : {}),
    ...(detail && detail.length > MAX_DETAIL ? { detail: detail.slice(0, MAX_DETAIL) } : {}),
  }
}

/** What a batch has discovered that is not known to be written, each address once. */
function newAddresses(batch: readonly Settled[], written: ReadonlySet<string>): Settled['discovered'] {
  const found = new Map<string, Settled['discovered'][number]>()
  for (const { discovered } of batch)
    for (const page of discovered) if (!written.has(page.url) && !found.has(page.url)) found.set(page.url, page)
  return [...found.values()]
}

export type CrawlStore = ReturnType<typeof openCrawlStore>
