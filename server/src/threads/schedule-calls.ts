import type { FairShares, Share } from '#lib/fair-queue.ts'
import type { PoolThread } from './pool-thread.ts'
import type { PoolRequest } from './thread-pool-options.ts'

/** Threads beyond the configured number, while others are slow. */
const EXTRA_THREADS = 2

/** A task in the pool, waiting or started. */
export type Call<Task> = {
  id: number
  request: PoolRequest<Task>
  share: Share<Call<Task>>
  resolve: (value: never) => void
  reject: (error: unknown) => void
  settled: boolean
  /** Number of starts. */
  runs: number
  /** Pending requests to the main thread. The task does not run while there are any. */
  asking: number
  /** Start of the current run, and milliseconds of earlier runs. */
  since: number
  ranMs: number
  /** Created on its first request. */
  controller: AbortController | null
}

/** The next waiting call: that of the queue with the least time, unless its owner has a slow task. */
export function nextCall<Task>(
  queue: FairShares<Call<Task>>,
  threads: ReadonlySet<PoolThread<Task>>,
): Call<Task> | undefined {
  const now = performance.now()
  const slow = new Set<string>()
  const running = new Map<Share<Call<Task>>, number>()
  for (const { calls, isSlow } of threads)
    for (const call of calls) {
      if (call.asking > 0) continue
      if (isSlow) slow.add(call.request.owner)
      running.set(call.share, (running.get(call.share) ?? 0) + now - call.since)
    }
  for (const share of queue.inOrder((one) => running.get(one) ?? 0)) {
    const [call] = share.waiting
    if (call && !slow.has(call.request.owner)) return call
  }
  return undefined
}

/** A ready thread, if fewer than `limit` threads run tasks, not counting slow ones. */
export function freeThread<Task>(threads: ReadonlySet<PoolThread<Task>>, limit: number): PoolThread<Task> | undefined {
  let busy = 0
  let free: PoolThread<Task> | undefined
  for (const thread of threads) {
    if (thread.isRunning) busy += thread.isSlow ? 0 : 1
    else if (thread.isReady) free ??= thread
  }
  return busy < limit ? free : undefined
}

/** A busy thread that takes another task in advance. */
export function hungryThread<Task>(threads: ReadonlySet<PoolThread<Task>>): PoolThread<Task> | undefined {
  for (const thread of threads) if (thread.isHungry) return thread
  return undefined
}

/** Takes back a task that was handed to a busy thread, and that no thread has begun. */
export function takeBackAny<Task>(threads: ReadonlySet<PoolThread<Task>>): Call<Task> | null {
  for (const thread of threads) {
    const call = thread.takeBack()
    if (call !== null) return call
  }
  return null
}

/** True if `waiting` tasks need more threads, and more are allowed. */
export function mayOpen<Task>(threads: ReadonlySet<PoolThread<Task>>, limit: number, waiting: number): boolean {
  let starting = 0
  let usable = 0
  for (const { isReady, isSlow } of threads) {
    if (!isReady) starting++
    if (!isSlow) usable++
  }
  return usable < limit && waiting > starting && threads.size < limit + EXTRA_THREADS
}
