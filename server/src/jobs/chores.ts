import type { Clock } from '#lib/clock.ts'

/** Something that is done from time to time, and may be done by several nodes at the same moment. */
export type Chore = {
  everyMs: number
  run: (now: number) => Promise<unknown>
  /** Done when they start as well, and not only when the first round is due. */
  atStart?: boolean
}

type Deps = { clock: Clock; onError: (error: unknown) => void }

/** Does each chore again and again, one round after the other, until it is disposed of. Failures go to `onError`. */
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
  // Each in a turn of the event loop of its own: on SQLite, two handles of one thread that write in the same turn wait for
  // each other in vain.
  const starts = chores.filter(({ atStart }) => atStart).map((chore) => setImmediate(() => begin(chore)))
  return {
    async [Symbol.asyncDispose]() {
      for (const timer of timers) clearInterval(timer)
      for (const start of starts) clearImmediate(start)
      await Promise.all(rounds)
    },
  }
}
