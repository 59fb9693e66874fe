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
  requeueOrphans,
  settlePage,
} from '#store/pages.ts'
import { saveCounts } from '#store/sources.ts'
import type { UnderLease } from './under-lease.ts'

/** What became of one page: its row, the text if it is new, and the addresses found on it. */
export type Settled = {
  outcome: PageOutcome & { state: PageState }
  /** The state before, so that the counts can follow. */
  before: PageState
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

/** Addresses of one source: several times the largest documentation there is, and some minutes of reading. */
const MOST_PAGES = 100_000

type Options = {
  underLease: UnderLease
  sourceId: string
  run: number
  counts: PageCounts
  /** Addresses that the source may have; default 100,000. */
  mostPages?: number
  /** What is not settled by this crawl will not stay: a page is no duplicate of what is about to go. */
  isWhole: boolean
}

/** Where a crawl writes what became of its pages. A crawl that has lost its lease fails with `LeaseLost`. */
export function openCrawlStore({ underLease, sourceId, run, counts, isWhole, mostPages = MOST_PAGES }: Options) {
  let waiting: Settled[] = []
  const written = new Set<string>()
  let writing: Promise<void> = Promise.resolve()
  let timer: Promise<void> | null = null
  let beyond: string | null = null

  /** Adds as many of the addresses as the source has room for, and the first beyond, to tell of it. Returns how many. */
  const insert = async (tx: Db, pages: Settled['discovered']): Promise<number> => {
    const { queued, indexed, skipped, failed } = counts
    const room = Math.max(0, mostPages - queued - indexed - skipped - failed)
    if (pages.length <= room) return insertDiscovered(tx, sourceId, pages)
    if (room === 0 && beyond !== null) return 0
    const urls = pages.map(({ url }) => url)
    const known = new Set((await findPages(tx, sourceId, urls)).map(({ url }) => url))
    const further = pages.filter(({ url }) => !known.has(url))
    const taken = further.slice(0, beyond === null ? room + 1 : room)
    beyond ??= taken[room]?.url ?? null
    return insertDiscovered(tx, sourceId, taken)
  }

  const addAddresses = async (pages: Settled['discovered']) => {
    for (let from = 0; from < pages.length; from += ADDRESSES_AT_ONCE) {
      await underLease(async (tx) => {
        const added = await insert(tx, pages.slice(from, from + ADDRESSES_AT_ONCE))
        const after = { ...counts, queued: counts.queued + added, toGo: counts.toGo + added }
        if (!(await saveCounts(tx, sourceId, after))) throw new LeaseLost()
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
    await underLease(async (tx) => {
      const added = await insert(tx, discovered.slice(0, ADDRESSES_AT_ONCE))
      after.queued += added
      after.toGo += added - batch.length
      for (const { outcome, before, text } of batch) {
        const final = await markDuplicate(outcome)
        if (text && final.state === 'indexed') await insertText(tx, sourceId, text)
        await settlePage(tx, run, final)
        after[before] -= 1
        after[final.state] += 1
      }
      if (!(await saveCounts(tx, sourceId, after))) throw new LeaseLost()

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
      waiting.push(settled)
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
    /** Why a page is not read, where it is the one that the source has no room for any more. */
    refusalOf: (url: string) =>
      url === beyond ? `The source has more than ${mostPages} pages. What comes after is not read.` : null,
    /** Settles the pages whose addresses begin so, and that this crawl has not settled, as they were. */
    async keep(prefix: string): Promise<void> {
      await flush()
      writing = writing.then(async () => {
        await underLease(async (tx) => {
          await keepPages(tx, { sourceId, run, prefix })
          Object.assign(counts, await countPages(tx, sourceId, run))
          if (!(await saveCounts(tx, sourceId, counts))) throw new LeaseLost()
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
    /** Deletes the pages that this crawl has not settled: they are not part of the source any more. */
    async forgetUnsettled(): Promise<void> {
      writing = writing.then(async () => {
        await underLease(async (tx) => {
          await deleteUnsettled(tx, sourceId, run)
          Object.assign(counts, await countPages(tx, sourceId, run))
          if (!(await saveCounts(tx, sourceId, counts))) throw new LeaseLost()
        })
      })
      return writing
    },
    /** Writes what is waiting. Throws what any write since the last flush has thrown. */
    flush,
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
