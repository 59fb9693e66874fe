import { type EndReason, type TaskProcessOptions, ProcessExit, openChildProcess } from './child-process.ts'
import { type OnFault, type TaskResult, faultOf } from './kill-reason.ts'
import { type Listener, PoolError, type PoolOptions, type Transport } from './pool-worker.ts'
import type { ReaderMemory } from './reader-memory.ts'
import type { TaskAnswer } from './serve-child.ts'
import { WorkerPool } from './worker-pool.ts'

export type ChildOptions = Omit<TaskProcessOptions<never>, 'onAnswer' | 'onEnd'> & {
  /** Grants memory for an extra process. Without it, the process is always started. */
  memory?: ReaderMemory | undefined
}

type ChildPoolOptions<Task> = ChildOptions &
  Partial<Pick<PoolOptions<Task>, 'workers' | 'ahead' | 'isAlone' | 'deadlineMs' | 'slowAfterMs' | 'idleAfterMs'>>

/** One process, without limits. An extra process ends as soon as it is idle. */
export const CHILD_DEFAULTS = {
  workers: 1,
  startsAtOnce: Number.POSITIVE_INFINITY,
  ahead: 0,
  deadlineMs: Number.POSITIVE_INFINITY,
  slowAfterMs: Number.POSITIVE_INFINITY,
  slowPerOwner: 1,
  idleAfterMs: Number.POSITIVE_INFINITY,
  extraWorkers: 1,
  extraIdleMs: 0,
  queueLimit: Number.POSITIVE_INFINITY,
  totalLimit: Number.POSITIVE_INFINITY,
  retries: true,
}

/** A pool of child processes (`serveTasks`). Deadlines are processor time. Rejects with `TaskFault` for a bug. */
export function openChildPool<Task, Result>(options: ChildPoolOptions<Task>): WorkerPool<Task, Result> {
  const { workers = CHILD_DEFAULTS.workers } = options
  return new WorkerPool<Task, Result>({
    ...CHILD_DEFAULTS,
    // Slow tasks of one queue may occupy all regular processes, but not the extra one.
    slowPerOwner: workers,
    ...options,
    open: (listener, isExtra) => openChild(options, listener, isExtra),
  })
}

/** An exception of a program, or its exit. `cause` is as thrown, without its class. */
export class TaskFault extends Error {
  override name = 'TaskFault'
}

/** Opens a child process for a pool. It gets tasks one after the other. */
export function openChild(
  { memory, ...options }: ChildOptions,
  listener: Listener,
  isExtra: boolean,
): Transport | null {
  const share = isExtra ? memory?.tryReserve(options.memoryMb) : undefined
  if (share === null) return null
  const sent: number[] = []
  const child = openChildProcess<unknown, TaskAnswer<unknown>>({
    hides: memory?.hides,
    ...options,
    onAnswer(answer) {
      const id = sent.shift() ?? 0
      if (answer.ok) listener.onMessage({ type: 'done', id, value: answer.value })
      else listener.onMessage({ type: 'failed', id, error: new TaskFault('A task failed.', { cause: answer.error }) })
    },
    onEnd: (why) => listener.onEnd(errorOf(why)),
  })
  return {
    startsReady: true,
    post(message) {
      if (message.type !== 'task' && message.type !== 'next') return
      sent.push(message.id)
      child.post(message.task, message.payload)
    },
    offer: () => true,
    takeBack: () => false,
    setBusy: (busy) => child.setBusy(busy),
    cpuMs: () => child.cpuMs(),
    async end() {
      await child.end()
      share?.release()
    },
  }
}

function errorOf(why: EndReason): Error {
  if (why instanceof ProcessExit) return new TaskFault(why.message, { cause: why })
  return why instanceof Error ? why : new PoolError(why === 'killed' ? 'ended' : why)
}

/** The result of a task, or why there is none. Rejects on abort or close, or if the machine is at fault. */
export async function resultOf<T>(run: Promise<T>, where: string, onFault?: OnFault): Promise<TaskResult<T>> {
  try {
    return { kind: 'done', value: await run }
  } catch (error) {
    if (error instanceof PoolError && error.reason !== 'closed' && error.reason !== 'full')
      return { kind: 'killed', reason: error.reason === 'deadline' ? 'timeout' : error.reason }
    const fault = error instanceof TaskFault ? faultOf(error.cause) : null
    if (fault === null) throw error instanceof TaskFault ? error.cause : error
    onFault?.((error as TaskFault).cause, where)
    return fault
  }
}
