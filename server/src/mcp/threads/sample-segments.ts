import type { LoadTexts } from '#search/segment-cache.ts'

/** Segments that are not in the store, with their texts, for as long as somebody uses them. */
export type SampleSegments = {
  /** Adds a segment under a new id. Disposing of the result removes it. */
  add(id: string, sample: { segment: Uint8Array<ArrayBuffer>; texts: ReadonlyMap<string, Uint8Array> }): Disposable
  /** The bytes of an added segment, as the shared index takes them. */
  load(id: string): Uint8Array<ArrayBuffer> | null
  /** Texts of an added segment. The id of its source is its own id. Null if there is no such segment. */
  texts(sourceId: string, hashes: string[]): Awaited<ReturnType<LoadTexts>> | null
  has(id: string): boolean
}

export function createSampleSegments(): SampleSegments {
  const samples = new Map<string, Parameters<SampleSegments['add']>[1]>()
  return {
    add(id, sample) {
      samples.set(id, sample)
      return { [Symbol.dispose]: () => void samples.delete(id) }
    },
    load: (id) => samples.get(id)?.segment ?? null,
    texts(sourceId, hashes) {
      const sample = samples.get(sourceId)
      if (!sample) return null
      return new Map(
        hashes.flatMap((hash) => {
          const text = sample.texts.get(hash)
          return text ? [[hash, text] as const] : []
        }),
      )
    },
    has: (id) => samples.has(id),
  }
}
