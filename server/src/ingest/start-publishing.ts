import { publishNew } from './publish.ts'

type Options = Parameters<typeof publishNew>[0] & {
  /** On a first crawl something is better than nothing; later the old version serves until the new one is whole. */
  isFirst: boolean
  pace: PublishPace
}

/** Pages settled so far, and when the next publish is due by `performance.now()`. */
export type PublishPace = { pages: number; dueAt: number }

/** Pages and milliseconds before the first publish: a server should answer within seconds of its creation. */
const FIRST = { pages: 5, ms: 700 }
/** Then at most every few seconds, and never so often that building takes more than a tenth of the time. */
const LEAST_MS = 3_000
const TIMES_LAST_BUILD = 10

/** The pace of a crawl that begins now. It is kept over its time slices. */
export function newPublishPace(): PublishPace {
  return { pages: 0, dueAt: performance.now() + FIRST.ms }
}

/** Publishes what there is from time to time while a first crawl runs. */
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
    /** Hears of every settled page. */
    onPage(): void {
      pace.pages += 1
      if (!isFirst || publishing || failure || pace.pages < FIRST.pages || performance.now() < pace.dueAt) return
      publishing = publish()
    },
    /** Waits for a publish under way. Throws what one has thrown. */
    async finish(): Promise<void> {
      await publishing
      if (failure) throw failure.error
    },
  }
}
