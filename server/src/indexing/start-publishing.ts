import { type PublishDeps, publishNew } from './publish.ts'

type Options = PublishDeps & {
  /** The first crawl publishes early; later ones keep serving the old version until the new one is complete. */
  isFirst: boolean
  pace: PublishPace
}

/** Pages settled so far, and the time of the next publish by `performance.now()`. */
export type PublishPace = { pages: number; dueAt: number }

/** Pages and milliseconds before the first publish: a new server should answer within seconds. */
const FIRST = { pages: 5, ms: 700 }
/** Later publishes run every few seconds at most, and building takes at most a tenth of the time. */
const LEAST_MS = 3_000
const TIMES_LAST_BUILD = 10

/** The pace of a new crawl. It is kept over its time slices. */
export function newPublishPace(): PublishPace {
  return { pages: 0, dueAt: performance.now() + FIRST.ms }
}

/** Publishes settled pages periodically during a first crawl. */
export function startPublishing({ isFirst, pace, ...options }: Options) {
  let publishing: Promise<void> | null = null
  let failure: { error: unknown } | null = null

  const publish = async () => {
    const begun = performance.now()
    try {
      await publishNew(options)
    } catch (error) {
      failure = { error }
    }
    const took = performance.now() - begun
    pace.dueAt = performance.now() + Math.max(LEAST_MS, took * TIMES_LAST_BUILD)
    publishing = null
  }

  return {
    onPage(): void {
      pace.pages += 1
      if (!isFirst || publishing || failure || pace.pages < FIRST.pages || performance.now() < pace.dueAt) return
      publishing = publish()
    },
    /** Waits for a running publish. Throws the error of a failed one. */
    async finish(): Promise<void> {
      await publishing
      if (failure) throw failure.error
    },
  }
}
