import type { SegmentEmbeddings } from './segment-embeddings.ts'

/**
 * Maximum chunks for exact search. Larger segments are prefiltered by the signs of their vectors: 32 components in one
 * comparison.
 */
const EXACT_UP_TO = 1_000
/** Minimum candidates from the sign prefilter that are then compared exactly. */
const BY_SIGN = 400

/** Cosine of a chunk and a question's unit vector. 0 for a chunk without an embedding. */
export function similarity(
  { dimensions, scales, values }: SegmentEmbeddings,
  chunk: number,
  query: Float32Array,
): number {
  const scale = scales[chunk]
  if (scale === 0) return 0
  const from = chunk * dimensions
  let sum = 0
  for (let at = 0; at < dimensions; at++) sum += values[from + at] * query[at]
  return sum * scale
}

/** The chunks most similar to the question, best first, with their cosines. `allowed` filters chunks. */
export function similarChunks(
  embeddings: SegmentEmbeddings,
  query: Float32Array,
  { count, allowed, signsOf }: { count: number; allowed: (chunk: number) => boolean; signsOf: SignsOf },
): { chunk: number; similarity: number }[] {
  const chunks = embeddings.scales.length
  const few =
    chunks <= EXACT_UP_TO
      ? Array.from({ length: chunks }, (_, chunk) => chunk)
      : nearestBySign(embeddings, signsOf(embeddings), query)
  return few
    .filter((chunk) => embeddings.scales[chunk] > 0 && allowed(chunk))
    .map((chunk) => ({ chunk, similarity: similarity(embeddings, chunk, query) }))
    .toSorted((a, b) => b.similarity - a.similarity || a.chunk - b.chunk)
    .slice(0, count)
}

/** Packed signs of a segment's vectors. */
export type SignsOf = (embeddings: SegmentEmbeddings) => Uint32Array

/** Computes the signs of each segment on first use and keeps them as long as it is in memory. */
export function createSigns(): SignsOf {
  const known = new WeakMap<SegmentEmbeddings, Uint32Array>()
  return (embeddings) => {
    let all = known.get(embeddings)
    if (all === undefined) {
      all = allSigns(embeddings, Math.ceil(embeddings.dimensions / 32))
      known.set(embeddings, all)
    }
    return all
  }
}

function nearestBySign({ dimensions, scales }: SegmentEmbeddings, all: Uint32Array, query: Float32Array): number[] {
  const words = Math.ceil(dimensions / 32)
  const asked = signs(query, words)
  const byDistance = new Uint32Array(dimensions + 2)
  const distances = new Uint16Array(scales.length)
  for (let chunk = 0; chunk < scales.length; chunk++) {
    let bits = 0
    for (let word = 0; word < words; word++) bits += countBits(all[chunk * words + word] ^ asked[word])
    distances[chunk] = bits
    byDistance[bits] += 1
  }
  let limit = 0
  for (let sum = byDistance[0]; sum < BY_SIGN && limit < dimensions; sum += byDistance[limit]) limit++
  const nearest: number[] = []
  for (let chunk = 0; chunk < scales.length; chunk++) if (distances[chunk] <= limit) nearest.push(chunk)
  return nearest
}

function allSigns({ dimensions, values, scales }: SegmentEmbeddings, words: number): Uint32Array {
  const all = new Uint32Array(scales.length * words)
  for (let chunk = 0; chunk < scales.length; chunk++)
    all.set(signs(values.subarray(chunk * dimensions, (chunk + 1) * dimensions), words), chunk * words)
  return all
}

function signs(vector: Float32Array | Int8Array, words: number): Uint32Array {
  const packed = new Uint32Array(words)
  for (let at = 0; at < vector.length; at++) if (vector[at] > 0) packed[at >> 5] |= 1 << (at & 31)
  return packed
}

function countBits(value: number): number {
  let bits = value - ((value >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
