import { createYielder } from '#lib/limits/yield-to-event-loop.ts'

/** Index of chunks by name hash (`nameHash`): 8 bytes each, in one sorted array. */
export type NameTable = Float64Array<ArrayBuffer>

/** Upper bound of chunk numbers, so that hash and number together fit exactly into a double. */
const PLACES = 2 ** 21
/**
 * Number of buckets, by the first 8 bits of the hash. A large segment is sorted bucket by bucket, with yields in
 * between.
 */
const BUCKETS = 256

export class NameTableWriter {
  readonly #buckets: number[][] = Array.from({ length: BUCKETS }, () => [])

  add(hash: number, chunk: number): void {
    if (chunk < PLACES) this.#buckets[hash >>> 24]?.push(hash * PLACES + chunk)
  }

  /** Yields to other requests between buckets. */
  async finish(): Promise<NameTable> {
    const turns = createYielder(1)
    const sorted: Float64Array[] = []
    for (const bucket of this.#buckets) {
      sorted.push(Float64Array.from(new Set(bucket)).sort())
      if (turns.due()) await turns.turn()
    }
    const table = new Float64Array(sorted.reduce((sum, { length }) => sum + length, 0))
    let at = 0
    for (const part of sorted) {
      table.set(part, at)
      at += part.length
    }
    return table
  }
}

/** Chunks listed under a hash, in order. Hash collisions are included, so check the results. */
export function placesUnder(table: NameTable, hash: number): number[] {
  const first = hash * PLACES
  const places: number[] = []
  for (let at = lowerBound(table, first); at < table.length; at++) {
    const place = (table[at] ?? Number.POSITIVE_INFINITY) - first
    if (place >= PLACES) break
    places.push(place)
  }
  return places
}

function lowerBound(table: NameTable, value: number): number {
  let low = 0
  let high = table.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (table[middle] < value) low = middle + 1
    else high = middle
  }
  return low
}
