type Sample = { segment: Uint8Array<ArrayBuffer>; texts: ReadonlyMap<string, Uint8Array> }

/** Segments that are not in the store, with their texts, for as long as somebody uses them. */
export function createSampleSegments() {
  const samples = new Map<string, Sample>()
  return {
    /** Adds a segment under a new id. Disposing of the result removes it. */
    add(id: string, sample: Sample): Disposable {
      samples.set(id, sample)
      return { [Symbol.dispose]: () => void samples.delete(id) }
    },
    /** The bytes of an added segment, as the shared index takes them. */
    load(id: string) {
      const bytes = samples.get(id)?.segment
      return bytes ? { bytes } : null
    },
    /** Texts of an added segment. The id of its source is its own id. Null if there is no such segment. */
    texts(sourceId: string, hashes: readonly string[]): Map<string, Uint8Array> | null {
      const texts = samples.get(sourceId)?.texts
      if (!texts) return null
      const wanted = new Set(hashes)
      return new Map([...texts].filter(([hash]) => wanted.has(hash)))
    },
    has: (id: string) => samples.has(id),
  }
}
