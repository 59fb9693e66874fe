import type { Db } from '#store/db.ts'
import { type PageToGo, listToGo } from '#store/pages.ts'
import type { CrawlStore } from './crawl-store.ts'

const BUFFER = 200

type Options = { db: Db; sourceId: string; run: number; crawlStore: CrawlStore }

/**
 * The pages still to go, in the order of their discovery. It lives in the store, so that a crawl goes on after a crash
 * where it was, and its memory does not grow with the site.
 */
export function openFrontier({ db, sourceId, run, crawlStore }: Options) {
  let buffer: PageToGo[] = []
  let afterId = 0
  /** Pages in hand, and other work that may still discover some. */
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
     * The next page, or null when none is left and none can come any more. Each page that it hands out must be given
     * back with `done`.
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
        // Something in hand may discover more; what it finds is there once it is done.
        if (busy > 0) await new Promise<void>((resolve) => waiters.push(resolve))
      }
    },
    done(): void {
      busy -= 1
      wakeAll()
    },
    /** Keeps the frontier open while something beside the pages in hand discovers addresses. */
    async whileDiscovering(work: () => Promise<void>): Promise<void> {
      busy += 1
      try {
        await work()
      } finally {
        busy -= 1
        wakeAll()
      }
    },
    /** Wakes whoever waits: something was added. */
    added: wakeAll,
  }
}

export type Frontier = ReturnType<typeof openFrontier>
