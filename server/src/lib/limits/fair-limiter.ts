/** The queue of the limiter is full. */
export class LimiterFullError extends Error {
  override name = 'LimiterFullError'
}

type Limits = {
  /** Concurrent tasks over all keys. */
  atOnce: number
  /** Concurrent tasks per key. */
  perKey: number
  /** Queued tasks per key. The next one is refused. */
  maxWaiting: number
}

export type FairLimiter = {
  /** Runs `work` in turn: keys alternate. Throws `LimiterFullError`, or the signal's reason before it began. */
  run<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>
}

type Lane = { running: number; waiting: Set<() => void> }

/** Limits concurrency and queue length of work that cannot be cancelled, fairly between keys. */
export function createFairLimiter({ atOnce, perKey, maxWaiting }: Limits): FairLimiter {
  /** In turn order: a key moves to the end when its work begins. */
  const lanes = new Map<string, Lane>()
  let running = 0

  const startNext = () => {
    for (const [key, lane] of lanes) {
      if (running >= atOnce) return
      const [begin] = lane.waiting
      if (!begin || lane.running >= perKey) continue
      lane.waiting.delete(begin)
      lanes.delete(key)
      lanes.set(key, lane)
      lane.running++
      running++
      begin()
    }
  }
  const release = (key: string, lane: Lane) => {
    lane.running--
    running--
    if (lane.running === 0 && lane.waiting.size === 0) lanes.delete(key)
    startNext()
  }
  const turn = async (key: string, lane: Lane, signal: AbortSignal | undefined) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const leave = () => {
      if (!lane.waiting.delete(resolve)) return
      if (lane.running === 0 && lane.waiting.size === 0) lanes.delete(key)
      reject(signal?.reason)
    }
    lane.waiting.add(resolve)
    signal?.addEventListener('abort', leave, { once: true })
    startNext()
    try {
      await promise
    } finally {
      signal?.removeEventListener('abort', leave)
    }
  }

  return {
    async run(key, work, signal) {
      signal?.throwIfAborted()
      const lane = lanes.get(key) ?? { running: 0, waiting: new Set() }
      if (lane.waiting.size >= maxWaiting) throw new LimiterFullError('Too much is waiting already')
      lanes.set(key, lane)
      await turn(key, lane, signal)
      try {
        return await work()
      } finally {
        release(key, lane)
      }
    },
  }
}
