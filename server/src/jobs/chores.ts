import type { Clock } from '#lib/clock.ts'

/** A periodic task. Several nodes can run it at the same moment. */
export type Chore = {
  everyMs: number
  run: (now: number) => Promise<unknown>
  /** Also run at start, not only after the first interval. */
  atStart?: boolean
}

type Deps = { clock: Clock; onError: (error: unknown) => void }

/** Repeats each task, one run at a time, until disposed of. Failures go to `onError`. */
export function startChores(chores: readonly Chore[], { clock, onError }: Deps): AsyncDisposable {
  const running = new Set<Chore>()
  const rounds = new Set<Promise<void>>()
  const round = async (chore: Chore) => {
    if (running.has(chore)) return
    running.add(chore)
    try {
      await chore.run(clock())
    } catch (error) {
      onError(error)
    } finally {
      running.delete(chore)
    }
  }
  const begin = (chore: Chore) => {
    const current = round(chore)
    rounds.add(current)
    void current.finally(() => rounds.delete(current))
  }
  const timers = chores.map((chore) => setInterval(() => begin(chore), chore.everyMs).unref())
  // One per event loop turn. On SQLite, two handles of one thread that write in the same turn deadlock until the
  // timeout.
  const starts = chores.filter(({ atStart }) => atStart).map((chore) => setImmediate(() => begin(chore)))
  return {
    async [Symbol.asyncDispose]() {
      for (const timer of timers) clearInterval(timer)
      for (const start of starts) clearImmediate(start)
      await Promise.all(rounds)
    },
  }
}
