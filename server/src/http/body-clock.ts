/** Something that is called with every tick of the clock while it is on it. */
type Ticked = { tick(): void }

/** One timer for all bodies under way: a timer for each costs more than reading most bodies does. */
export type BodyClock = { add(body: Ticked): void; delete(body: Ticked): void }

const TICK_MS = 1_000

export function createBodyClock(everyMs = TICK_MS): BodyClock {
  const bodies = new Set<Ticked>()
  let timer: NodeJS.Timeout | null = null
  const tick = () => {
    if (bodies.size === 0 && timer !== null) {
      clearInterval(timer)
      timer = null
    }
    for (const body of bodies) body.tick()
  }
  return {
    add(body) {
      bodies.add(body)
      timer ??= setInterval(tick, everyMs).unref()
    },
    delete: (body) => void bodies.delete(body),
  }
}
