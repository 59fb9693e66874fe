type Options = {
  /** Publishes what is settled. Null: the old version is served until the new one is complete. */
  publish: (() => Promise<unknown>) | null
  isFirst: boolean
  pace: PublishPace
}

/** Pages settled so far, whether one has changed since the last publish, and when the next is due by `performance.now()`. */
export type PublishPace = { pages: number; isChanged: boolean; dueAt: number }

/** Pages and milliseconds before the first publish: a new server should answer within seconds. */
const FIRST = { pages: 5, ms: 700 }
/** Later publishes run every few seconds at most, and building takes at most a tenth of the time. */
const LEAST_MS = 3_000
const TIMES_LAST_BUILD = 10
/** Wait after a changed page: those of one deployment are often neighbours. */
const GATHER_MS = 300

/** The pace of a new crawl. It is kept over its time slices. A refresh has pages already, and waits for no others. */
export function newPublishPace({ isFirst }: Pick<Options, 'isFirst'>): PublishPace {
  return { pages: isFirst ? 0 : FIRST.pages, isChanged: false, dueAt: performance.now() + FIRST.ms }
}

/** Publishes settled pages periodically during a crawl. */
export function startPublishing({ publish, isFirst, pace }: Options) {
  let timer: NodeJS.Timeout | undefined
  let publishing: Promise<void> | null = null
  let failure: { error: unknown } | null = null

  const start = async (work: () => Promise<unknown>) => {
    timer = undefined
    pace.isChanged = false
    const begun = performance.now()
    try {
      await work()
    } catch (error) {
      failure = { error }
    }
    const took = performance.now() - begun
    pace.dueAt = performance.now() + Math.max(LEAST_MS, took * TIMES_LAST_BUILD)
    publishing = null
    publishWhenDue()
  }

  const publishWhenDue = () => {
    const work = publish
    if (!work || publishing || failure || !pace.isChanged || pace.pages < FIRST.pages) return
    const begin = () => void (publishing = start(work))
    timer ??= setTimeout(begin, Math.max(isFirst ? 0 : GATHER_MS, pace.dueAt - performance.now()))
  }

  return {
    onPage(isChanged = true): void {
      pace.pages += 1
      pace.isChanged ||= isChanged
      if (isChanged) publishWhenDue()
    },
    /** Waits for a running publish. Throws the error of a failed one. */
    async finish(): Promise<void> {
      publish = null
      clearTimeout(timer)
      await publishing
      if (failure) throw failure.error
    },
  }
}
