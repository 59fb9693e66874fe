/** More is waiting than the limiter holds. */
export class LimiterFullError extends Error {
  override name = 'LimiterFullError'
}

type Limits = {
  /** Pieces of work at a time, over all keys. */
  atOnce: number
  /** Pieces of work at a time for one key. */
  perKey: number
  /** Pieces of work of one key that may wait; the next is refused. */
  maxWaiting: number
}

export type FairLimiter = {
  /**
   * Runs `work` when its turn comes: keys take turns, the work of one key runs in order. Throws the signal's reason when
   * it aborts before `work` began, and `LimiterFullError`. A slot stays taken until `work` settles.
   */
  run<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>
}

type Lane = { running: number; waiting: Set<() => void> }

/** Bounds work that cannot be cancelled, in concurrency and in waiting, and shares it fairly between keys. */
export function createFairLimiter({ atOnce, perKey, maxWaiting }: Limits): FairLimiter {
  /** In the order of their turns: a key goes to the end when work of it begins. */
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
