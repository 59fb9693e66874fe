import type { Db } from '#store/db.ts'
import { type PageToGo, listToGo } from '#store/pages/pages.ts'
import type { CrawlStore } from './crawl-store.ts'

const BUFFER = 200

type Options = { db: Db; sourceId: string; run: number; crawlStore: CrawlStore }

/**
 * The crawl frontier: queued pages in order of discovery. It is kept in the store, so a crawl resumes after a crash,
 * and its memory does not grow with the site.
 */
export function openFrontier({ db, sourceId, run, crawlStore }: Options) {
  let buffer: PageToGo[] = []
  let afterId = 0
  /** Pages in hand, and other tasks that may still discover pages. */
  let busy = 0
  let filling: Promise<void> | null = null
  let waiters: (() => void)[] = []

  const wakeAll = () => {
    const woken = waiters
    waiters = []
    for (const wake of woken) wake()
  }

  const fill = async () => {
    await crawlStore.flush()
    buffer = await listToGo(db, { sourceId, run, afterId, limit: BUFFER })
    afterId = buffer.at(-1)?.id ?? afterId
  }

  return {
    /**
     * Returns the next page, or null if none is left and none can be discovered. The caller must call `done` for each
     * page.
     */
    async next(): Promise<PageToGo | null> {
      for (;;) {
        const page = buffer.shift()
        if (page) {
          busy += 1
          return page
        }
        const wasBusy = busy > 0
        filling ??= fill().finally(() => (filling = null))
        await filling
        if (buffer.length > 0) continue
        if (!wasBusy && busy === 0) return null
        // Tasks in hand may discover more pages, which are stored by the time they are done.
        if (busy > 0) await new Promise<void>((resolve) => waiters.push(resolve))
      }
    },
    done(): void {
      busy -= 1
      wakeAll()
    },
    /** Keeps the frontier open while `work` discovers URLs. */
    async whileDiscovering(work: () => Promise<void>): Promise<void> {
      busy += 1
      try {
        await work()
      } finally {
        busy -= 1
        wakeAll()
      }
    },
    /** Wakes waiting callers after URLs were added. */
    added: wakeAll,
  }
}

export type Frontier = ReturnType<typeof openFrontier>
