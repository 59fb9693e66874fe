/** Number of records at which idle ones are dropped for the first time. */
const SWEEP_AT = 1_000

/**
 * A record per key, created on first access. Idle ones are dropped in batches: each deletion would make V8 rebuild the
 * table sooner, and old tables keep all later ones alive until a full collection.
 */
export class RecordMap<Value> {
  readonly #records = new Map<string, Value>()
  readonly #make: () => Value
  readonly #isIdle: (value: Value) => boolean
  readonly #leastSweepAt: number
  #sweepAt: number

  constructor(make: () => Value, isIdle: (value: Value) => boolean, sweepAt = SWEEP_AT) {
    this.#make = make
    this.#isIdle = isIdle
    this.#leastSweepAt = sweepAt
    this.#sweepAt = sweepAt
  }

  get size(): number {
    return this.#records.size
  }

  get(key: string): Value | undefined {
    return this.#records.get(key)
  }

  /** The record of the key, created if missing. */
  of(key: string): Value {
    const known = this.#records.get(key)
    if (known !== undefined) return known
    if (this.#records.size >= this.#sweepAt) this.#sweep()
    const made = this.#make()
    this.#records.set(key, made)
    return made
  }

  #sweep(): void {
    for (const [key, value] of this.#records) if (this.#isIdle(value)) this.#records.delete(key)
    this.#sweepAt = Math.max(this.#leastSweepAt, 2 * this.#records.size)
  }
}

/** Memoizes a function for its last argument only. */
export function memoizeLast<Result>(make: (text: string) => Result): (text: string) => Result {
  let last: { text: string; result: Result } | null = null
  return (text) => {
    if (last?.text !== text) last = { text, result: make(text) }
    return last.result
  }
}
