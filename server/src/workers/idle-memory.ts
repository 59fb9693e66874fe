/** Calls of a client mostly follow each other within this time. */
const QUIET_MS = 3_000
/** A release takes some 40 ms of processor time, so it has to be worth that. */
const WORTH_BYTES = 8_000_000
/** The system has the pages by then. */
const SETTLED_MS = 500

/** Options for tests. */
type Options = { quietMs?: number; worthBytes?: number; residentBytes?: () => number }

export type IdleMemory = Disposable & {
  /** Notes that the process works. */
  touch(): void
}

/**
 * Calls `release` when the process has had nothing to do for some seconds, and has more memory than after the last
 * release. V8 keeps the room of a peak: 15 MB after a start, 100 MB and more in each thread after a load.
 */
export function createIdleMemory(
  release: () => void,
  { quietMs = QUIET_MS, worthBytes = WORTH_BYTES, residentBytes = () => process.memoryUsage.rss() }: Options = {},
): IdleMemory {
  let [workedAt, settledBytes] = [0, 0]
  let timer: NodeJS.Timeout | undefined
  const wait = (next: () => void, ms: number) => void (timer = setTimeout(next, ms).unref())
  const settle = () => {
    timer = undefined
    settledBytes = residentBytes()
  }
  const look = () => {
    const restMs = workedAt + quietMs - performance.now()
    timer = undefined
    if (restMs > 0) wait(look, restMs)
    else if (residentBytes() - settledBytes >= worthBytes) {
      release()
      wait(settle, SETTLED_MS)
    }
  }
  return {
    touch() {
      workedAt = performance.now()
      if (timer === undefined) wait(look, quietMs)
    },
    [Symbol.dispose]: () => clearTimeout(timer),
  }
}

/** Returns the unused memory of this thread's heap to the system, if the process was started with `--expose-gc`. */
export function releaseHeap(): void {
  globalThis.gc?.({ type: 'major', flavor: 'last-resort' })
}
