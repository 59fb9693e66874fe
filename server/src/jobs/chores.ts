import type { Clock } from '#lib/clock.ts'

/** Something that is done from time to time, and may be done by several nodes at the same moment. */
export type Chore = { everyMs: number; run: (now: number) => Promise<unknown> }

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
  const timers = chores.map((chore) =>
    setInterval(() => {
      const current = round(chore)
      rounds.add(current)
      void current.finally(() => rounds.delete(current))
    }, chore.everyMs).unref(),
  )
  return {
    async [Symbol.asyncDispose]() {
      for (const timer of timers) clearInterval(timer)
      await Promise.all(rounds)
    },
  }
}
