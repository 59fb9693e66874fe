import { availableParallelism } from 'node:os'
import type { ResourceLimits } from 'node:worker_threads'

export type ThreadPoolOptions = {
  /** The program of the threads, which calls `serveThread`. */
  program: URL
  /** Passed to each thread as `workerData`. */
  data?: unknown
  /** Concurrent threads. Default: one per processor. */
  threads?: number
  limits?: ResourceLimits
  /** Maximum running time of a task in milliseconds, without its waits for the main thread. */
  deadlineMs?: number
  /** Milliseconds after which a running task is slow. Tasks of other owners then get an extra thread. */
  slowAfterMs?: number
  /** Maximum waiting and running tasks, per queue and in total. Further ones are refused. */
  queueLimit?: number
  totalLimit?: number
  /** Called with a note from a thread. Responses go `back` to it, or to the `others`. */
  onNote?: (note: never, send: Record<'others' | 'back', (note: unknown) => void>) => void
}

/** A task with its context. */
export type PoolRequest<Task> = {
  task: Task
  /** Queues share the time equally. */
  queue: string
  /** Owner of slow tasks. While one task of an owner is slow, no other of its tasks starts. */
  owner: string
  /**
   * Serves a request of the task. If a task loses its thread to another task, it runs again and repeats its requests.
   * Results that must not be computed twice must be kept here.
   */
  ask(method: string, args: unknown[], signal: AbortSignal): Promise<unknown>
  signal?: AbortSignal | undefined
}

/** A hundred times the duration of the slowest typical task. */
const DEADLINE_MS = 10_000
/** The time of about a hundred searches. */
const SLOW_AFTER_MS = 100
/** Further clients of one server must retry. They would wait for more than a second. */
const QUEUE_LIMIT = 256
const TOTAL_LIMIT = 2_048

type Optional = 'limits' | 'onNote'

/** Options with defaults applied. */
export type PoolSettings = Required<Omit<ThreadPoolOptions, Optional>> & Pick<ThreadPoolOptions, Optional>

export function withDefaults(options: ThreadPoolOptions): PoolSettings {
  return {
    data: null,
    threads: availableParallelism(),
    deadlineMs: DEADLINE_MS,
    slowAfterMs: SLOW_AFTER_MS,
    queueLimit: QUEUE_LIMIT,
    totalLimit: TOTAL_LIMIT,
    ...options,
  }
}

/**
 * Why a pool did not finish a task. `busy`: too many tasks of its queue are waiting; `deadline`: it ran for too long;
 * `memory`: its thread ran out of memory; `ended`: its thread died, or the pool was closed.
 */
export class PoolError extends Error {
  override name = 'PoolError'
  readonly reason: 'busy' | 'deadline' | 'memory' | 'ended'

  constructor(reason: PoolError['reason'], options: ErrorOptions = {}) {
    super(MESSAGES[reason], options)
    this.reason = reason
  }
}

const MESSAGES: Record<PoolError['reason'], string> = {
  busy: 'Too many tasks are waiting.',
  deadline: 'The task ran for too long and was ended.',
  memory: 'The task took too much memory and was ended.',
  ended: 'The thread of the task ended.',
}
