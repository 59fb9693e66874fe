import type { Clock } from '#lib/clock.ts'

/** A periodic task. Several nodes can run it at the same moment. */
export type PeriodicTask = {
  everyMs: number
  run: (now: number) => Promise<unknown>
  /** Also run at start, not only after the first interval. */
  atStart?: boolean
}

type Deps = { clock: Clock; onError: (error: unknown) => void }

/** Repeats each task, one run at a time, until disposed of. Failures go to `onError`. */
export function startPeriodicTasks(tasks: readonly PeriodicTask[], { clock, onError }: Deps): AsyncDisposable {
  const running = new Set<PeriodicTask>()
  const rounds = new Set<Promise<void>>()
  const round = async (task: PeriodicTask) => {
    if (running.has(task)) return
    running.add(task)
    try {
      await task.run(clock())
    } catch (error) {
      onError(error)
    } finally {
      running.delete(task)
    }
  }
  const begin = (task: PeriodicTask) => {
    const current = round(task)
    rounds.add(current)
    void current.finally(() => rounds.delete(current))
  }
  const timers = tasks.map((task) => setInterval(() => begin(task), task.everyMs).unref())
  // One per event loop turn. On SQLite, two handles of one thread that write in the same turn deadlock until the
  // timeout.
  const starts = tasks.filter(({ atStart }) => atStart).map((task) => setImmediate(() => begin(task)))
  return {
    async [Symbol.asyncDispose]() {
      for (const timer of timers) clearInterval(timer)
      for (const start of starts) clearImmediate(start)
      await Promise.all(rounds)
    },
  }
}
