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
