/** A body that the clock calls on every tick. */
type Ticked = {
  tick(): void
  /** Index in the clock's array. Internal to the clock. */
  place: number
}

/** One timer for all bodies in progress. A timer per body costs more than reading most bodies. */
export type BodyClock = {
  /** Adds a body that is not registered yet. */
  add(body: Ticked): void
  /** Removes a registered body. */
  delete(body: Ticked): void
}

const TICK_MS = 1_000

export function createBodyClock(everyMs = TICK_MS): BodyClock {
  // An array, because bodies are added and removed on every request (see `RecordMap`).
  const bodies: Ticked[] = []
  let timer: NodeJS.Timeout | null = null
  const tick = () => {
    if (bodies.length === 0 && timer !== null) {
      clearInterval(timer)
      timer = null
    }
    // Iterate backwards: a slow body removes itself, and the last one takes its index.
    for (let at = bodies.length - 1; at >= 0; at--) bodies[at]?.tick()
  }
  return {
    add(body) {
      body.place = bodies.push(body) - 1
      timer ??= setInterval(tick, everyMs).unref()
    },
    delete(body) {
      const last = bodies.pop()
      if (last === undefined || last === body) return
      bodies[body.place] = last
      last.place = body.place
    },
  }
}
