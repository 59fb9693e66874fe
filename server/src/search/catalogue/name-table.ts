/** Places under the hashes of their names: 8 bytes each, in one sorted array. */
export type NameTable = Float64Array<ArrayBuffer>

/** Chunks of a segment are numbered below this, so that hash and number together are an exact double. */
const PLACES = 2 ** 21

export class NameTableWriter {
  readonly #entries: number[] = []

  add(key: string, chunk: number): void {
    if (chunk < PLACES) this.#entries.push(hashOf(key) * PLACES + chunk)
  }

  finish(): NameTable {
    return Float64Array.from(new Set(this.#entries)).sort()
  }
}

/** Chunks that may be under this key, in order; another key's with the same hash among them, hence to be checked. */
export function placesUnder(table: NameTable, key: string): number[] {
  const first = hashOf(key) * PLACES
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
    if ((table[middle] ?? 0) < value) low = middle + 1
    else high = middle
  }
  return low
}

/** FNV-1a, 32 bits, over UTF-16 units. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193)
  return hash >>> 0
}
