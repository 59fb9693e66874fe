/** A set of 32-bit hashes in `size` bits (a power of two). `filled` is also its false positive rate. */
export function createBitSet(size: number) {
  const bits = new Uint32Array(size >>> 5)
  let count = 0
  const has = (hash: number) => ((bits[(hash % size) >>> 5] ?? 0) & (1 << (hash & 31))) !== 0
  return {
    has,
    add(hash: number): void {
      if (has(hash)) return
      const word = (hash % size) >>> 5
      bits[word] = (bits[word] ?? 0) | (1 << (hash & 31))
      count++
    },
    /** Share of the bits that are set. */
    filled: () => count / size,
  }
}
