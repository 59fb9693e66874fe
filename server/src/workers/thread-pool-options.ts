import { availableParallelism } from 'node:os'
import type { ResourceLimits } from 'node:worker_threads'

export type ThreadPoolOptions = {
  /** The program of the threads, which calls `serveThread`. */
  program: URL
  /** Given to each thread as `workerData`. */
  data?: unknown
  /** Threads that work at once; default one for each processor. */
  threads?: number
  limits?: ResourceLimits
  /** Milliseconds a task may run, not counting the time in which it waits for the main thread's answers. */
  deadlineMs?: number
  /** Milliseconds after which a running task is slow: tasks of other owners get a further thread. */
  slowAfterMs?: number
  /** Tasks of one queue, and of all queues, that wait or run. Further ones are refused. */
  queueLimit?: number
  totalLimit?: number
  /** A note that a thread sent. Answers go `back` to it, or to the `others`. */
  onNote?: (note: never, send: Record<'others' | 'back', (note: unknown) => void>) => void
}

/** A task and what belongs to it. */
export type PoolRequest<Task> = {
  task: Task
  /** Tasks of different queues get the same share of the time. */
  queue: string
  /** Who is answerable for slow tasks: while one of an owner's tasks is slow, no other one of its tasks is begun. */
  owner: string
  /**
   * Answers a question of the task. A task whose thread was lost to another task runs again, and asks again: answers
   * that must not be computed twice have to be kept by whoever gives them.
   */
  ask(method: string, args: unknown[], signal: AbortSignal): Promise<unknown>
  signal?: AbortSignal | undefined
}

/** A hundred times what the slowest usual task takes. */
const DEADLINE_MS = 10_000
/** Some hundred searches. */
const SLOW_AFTER_MS = 100
/** More clients than this on one server are told to come back. They would wait for more than a second. */
const QUEUE_LIMIT = 256
const TOTAL_LIMIT = 2_048

type Optional = 'limits' | 'onNote'

/** The options with their defaults. */
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
