import type { Corpus, CorpusPart } from './corpus.ts'
import type { PageFilter } from './page-filter.ts'
import { pageOf, type RankFeatures, type RankedChunk } from './fuse.ts'
import { memoizeByObject } from '#lib/objects.ts'
import { bitDistance } from '#search/segment/hashes.ts'
import { pageOfChunk } from '#search/segment/postings-log.ts'
import type { SegmentEmbeddings } from '#search/segment/embeddings.ts'

/** Weight of the most similar passage, between those of latent similarity (0.4) and of words (0.7). */
const WEIGHT = 0.6
/** Maximum passages added by similarity alone. */
const NEW_PASSAGES = 20
/** Maximum passages per page, the same as in the lexical ranking. */
const CHUNKS_PER_PAGE = 3

/** Vector of a question, of length 1, and the model that computed it. */
export type QueryEmbedding = { model: string; vector: Float32Array }

/** Packed signs of a segment's vectors. */
type SignsOf = (embeddings: SegmentEmbeddings) => Uint32Array

type Input = {
  corpus: Corpus
  /** The lexical ranking. */
  ranked: readonly RankedChunk[]
  filter: PageFilter | null
  /** Features of a passage without any word of the question. */
  noFeatures: RankFeatures
  embedding: QueryEmbedding
  signsOf: SignsOf
}

/**
 * Adds embedding similarity to a lexical ranking, linearly. Scales cosines so that the most similar candidate gets 1
 * and the least similar 0, because cosines of texts are close together. Also adds passages that share no word with the
 * question.
 */
export function fuseEmbeddings({ corpus, ranked, filter, noFeatures, embedding, signsOf }: Input): RankedChunk[] {
  const { model, vector: query } = embedding
  const embeddingsOf = ({ segment: { embeddings } }: CorpusPart) =>
    embeddings?.model === model && embeddings.dimensions === query.length ? embeddings : null
  const candidates = new Map<number, RankedChunk>(ranked.map((chunk) => [chunk.part.firstChunk + chunk.chunk, chunk]))
  const cosines = new Map<number, number>()
  for (const part of corpus.parts) {
    const embeddings = embeddingsOf(part)
    if (embeddings === null) continue
    const options = { count: NEW_PASSAGES, allowed: (chunk: number) => isAllowed(part, chunk, filter), signsOf }
    for (const { chunk, similarity: cosine } of similarChunks(embeddings, query, options)) {
      const key = part.firstChunk + chunk
      cosines.set(key, cosine)
      if (candidates.has(key)) continue
      const page = pageOfChunk(part.segment.pageChunks, chunk)
      candidates.set(key, { part, page, chunk, score: 0, features: noFeatures })
    }
  }
  for (const [key, { part, chunk }] of candidates) {
    const embeddings = embeddingsOf(part)
    if (embeddings !== null && !cosines.has(key)) cosines.set(key, similarity(embeddings, chunk, query))
  }
  const most = Math.max(...cosines.values())
  const least = Math.min(...cosines.values())
  const fused = [...candidates].map(([key, chunk]): RankedChunk => {
    const cosine = cosines.get(key)
    const embedding = cosine === undefined || most === least ? 0 : (cosine - least) / (most - least)
    return { ...chunk, score: chunk.score + WEIGHT * embedding, features: { ...chunk.features, embedding } }
  })
  return atMostPerPage(fused.toSorted((a, b) => b.score - a.score || pageOf(a) - pageOf(b)))
}

function atMostPerPage(chunks: readonly RankedChunk[]): RankedChunk[] {
  const seen = new Map<number, number>()
  return chunks.filter((chunk) => {
    const before = seen.get(pageOf(chunk)) ?? 0
    seen.set(pageOf(chunk), before + 1)
    return before < CHUNKS_PER_PAGE
  })
}

function isAllowed({ segment }: CorpusPart, chunk: number, filter: PageFilter | null): boolean {
  if (filter === null) return true
  if (filter.pages.get(segment)?.[pageOfChunk(segment.pageChunks, chunk)] === 0) return false
  return filter.code.get(segment)?.[segment.chunkCode[chunk]] !== 0
}

/** Maximum chunks for exact search. In larger segments the signs of the vectors choose candidates. */
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

/** Computes the signs of each segment on first use and keeps them as long as it is in memory. */
export function createSigns(): SignsOf {
  return memoizeByObject(({ dimensions, values, scales }) => {
    const words = Math.ceil(dimensions / 32)
    const all = new Uint32Array(scales.length * words)
    for (let chunk = 0; chunk < scales.length; chunk++)
      all.set(signs(values.subarray(chunk * dimensions, (chunk + 1) * dimensions), words), chunk * words)
    return all
  })
}

function nearestBySign({ dimensions, scales }: SegmentEmbeddings, all: Uint32Array, query: Float32Array): number[] {
  const words = Math.ceil(dimensions / 32)
  const asked = signs(query, words)
  const byDistance = new Uint32Array(dimensions + 2)
  const distances = new Uint16Array(scales.length)
  for (let chunk = 0; chunk < scales.length; chunk++) {
    let bits = 0
    for (let word = 0; word < words; word++) bits += bitDistance(all[chunk * words + word], asked[word])
    distances[chunk] = bits
    byDistance[bits] += 1
  }
  let limit = 0
  for (let sum = byDistance[0]; sum < BY_SIGN && limit < dimensions; sum += byDistance[limit]) limit++
  const nearest: number[] = []
  for (let chunk = 0; chunk < scales.length; chunk++) if (distances[chunk] <= limit) nearest.push(chunk)
  return nearest
}

function signs(vector: Float32Array | Int8Array, words: number): Uint32Array {
  const packed = new Uint32Array(words)
  for (let at = 0; at < vector.length; at++) if (vector[at] > 0) packed[at >> 5] |= 1 << (at & 31)
  return packed
}
