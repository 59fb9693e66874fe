import type { Worker } from 'node:worker_threads'
import type { FairShares, Share } from '#lib/fair-queue.ts'
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

export type Thread<Task> = {
  worker: Worker
  isReady: boolean
  /** In start order. An array, because calls are added and removed all the time (see `RecordMap`). */
  calls: Call<Task>[]
  isSlow: boolean
  idle: NodeJS.Timeout | undefined
}

/** True while a task of the thread runs and does not wait for the main thread. */
export function isRunning<Task>({ calls }: Thread<Task>): boolean {
  return calls.some(({ asking }) => asking === 0)
}

/** The next waiting call: that of the queue with the least time, unless its owner has a slow task. */
export function nextCall<Task>(
  queue: FairShares<Call<Task>>,
  threads: ReadonlySet<Thread<Task>>,
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
export function freeThread<Task>(threads: ReadonlySet<Thread<Task>>, limit: number): Thread<Task> | undefined {
  let busy = 0
  let free: Thread<Task> | undefined
  for (const thread of threads) {
    if (isRunning(thread)) busy += thread.isSlow ? 0 : 1
    else if (thread.isReady) free ??= thread
  }
  return busy < limit ? free : undefined
}

/** True if `waiting` tasks need more threads, and more are allowed. */
export function mayOpen<Task>(threads: ReadonlySet<Thread<Task>>, limit: number, waiting: number): boolean {
  let starting = 0
  let usable = 0
  for (const { isReady, isSlow } of threads) {
    if (!isReady) starting++
    if (!isSlow) usable++
  }
  return usable < limit && waiting > starting && threads.size < limit + EXTRA_THREADS
}
