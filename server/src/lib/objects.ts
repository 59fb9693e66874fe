type Defined<Values> = { [Name in keyof Values]?: Exclude<Values[Name], undefined> }

/** The members that are not undefined. */
export function defined<Values extends object>(values: Values): Defined<Values> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<Values>
}

/** Makes the value of each object on first use, and keeps it as long as the object is in memory. */
export function memoizeByObject<Key extends WeakKey, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, { value: Value }>()
  return (key) => {
    let held = known.get(key)
    if (held === undefined) {
      held = { value: make(key) }
      known.set(key, held)
    }
    return held.value
  }
}

/** Sets a value as the most recent one of a map, and forgets the least recent ones beyond `most`. */
export function rememberRecent<K, V>(known: Map<K, V>, key: K, value: V, most: number): void {
  known.delete(key)
  known.set(key, value)
  for (const oldest of known.keys()) {
    if (known.size <= most) break
    known.delete(oldest)
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Undefined for invalid JSON, because no JSON text yields that. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
