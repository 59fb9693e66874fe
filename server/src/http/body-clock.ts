/** Something that is called with every tick of the clock while it is on it. */
type Ticked = {
  tick(): void
  /** Its place on the clock, for the clock alone. */
  place: number
}

/** One timer for all bodies under way: a timer for each costs more than reading most bodies does. */
export type BodyClock = {
  /** Puts a body on the clock that is not on it. */
  add(body: Ticked): void
  /** Takes a body off the clock that is on it. */
  delete(body: Ticked): void
}

const TICK_MS = 1_000

export function createBodyClock(everyMs = TICK_MS): BodyClock {
  // An array, since bodies come and go with every request (see `RecordMap`).
  const bodies: Ticked[] = []
  let timer: NodeJS.Timeout | null = null
  const tick = () => {
    if (bodies.length === 0 && timer !== null) {
      clearInterval(timer)
      timer = null
    }
    // From the end, since whoever is too slow leaves the clock, and the last one takes its place.
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
