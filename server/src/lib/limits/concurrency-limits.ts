/** The limit that was reached. */
export type Refusal<Kind extends string> = { refusedBy: Kind; limit: number }

export type ConcurrencyLimits<Kind extends string> = {
  /** Takes a slot under every key, or none. Disposing of it releases the slots; disposing twice is harmless. */
  take(keys: Readonly<Record<Kind, string>>): Disposable | Refusal<Kind>
}

/** Limits concurrency by several keys together, such as account and host. Callers never wait. */
export function createConcurrencyLimits<Kind extends string>(
  limits: Readonly<Record<Kind, number>>,
): ConcurrencyLimits<Kind> {
  const kinds = Object.keys(limits) as Kind[]
  const taken = new Map<string, number>()
  return {
    take(keys) {
      const places = kinds.map((kind) => ({ kind, place: `${kind}:${keys[kind]}` }))
      for (const { kind, place } of places) {
        if ((taken.get(place) ?? 0) >= limits[kind]) return { refusedBy: kind, limit: limits[kind] }
      }
      for (const { place } of places) taken.set(place, (taken.get(place) ?? 0) + 1)
      let isHeld = true
      return {
        [Symbol.dispose]() {
          if (!isHeld) return
          isHeld = false
          for (const { place } of places) {
            const left = (taken.get(place) ?? 0) - 1
            if (left > 0) taken.set(place, left)
            else taken.delete(place)
          }
        },
      }
    },
  }
}
