import type { DictionaryEntry } from '#search/segment/dictionary.ts'
import type { Segment, SegmentVectors } from '#search/segment/open-segment.ts'
import { firstFrom } from '#search/segment/postings-log.ts'
import { readPostingsHeader } from '#search/segment/postings.ts'
import { STORED_FROM, hasColumn, termRarity, visitFrequencies } from './make-vectors.ts'

/** A term of the question and its weight. */
export type WeightedTerm = { entry: DictionaryEntry; weight: number }

/** The question in the latent space of a segment, times the steps of page vectors. Null without a known term. */
export function queryVector(segment: Segment, terms: readonly WeightedTerm[]): Float64Array | null {
  const { vectors, pageCount, postings } = segment
  if (vectors === null) return null
  const { dimensions, pageSteps } = vectors
  const query = new Float64Array(dimensions)
  let any = false
  for (const { entry, weight } of terms) {
    const { pages } = readPostingsHeader(postings, entry.start).stats
    if (!hasColumn(pageCount, pages)) continue
    any = true
    const rarity = termRarity(pageCount, pages)
    if (pages < STORED_FROM || !addStored(query, vectors, entry.id, weight * rarity))
      addFromPages({ query, segment, vectors }, { entry, weight }, rarity)
  }
  for (let k = 0; k < dimensions; k++) query[k] *= pageSteps[k]
  return any ? query : null
}

/** Similarity of question and page: their cosine times a factor common to all pages of the segment. */
export function latentSimilarity(query: Float64Array, { dimensions, pages }: SegmentVectors, page: number): number {
  const from = page * dimensions
  let sum = 0
  for (let k = 0; k < dimensions; k++) sum += query[k] * pages[from + k]
  return sum
}

function addStored(query: Float64Array, vectors: SegmentVectors, term: number, weight: number): boolean {
  const { dimensions, termIds, terms, termSteps } = vectors
  const row = firstFrom(termIds, term)
  if (termIds[row] !== term) return false
  const from = row * dimensions
  for (let k = 0; k < dimensions; k++) query[k] += weight * terms[from + k] * termSteps[k]
  return true
}

/** Adds a term's vector, computed from its pages: V = Aᵀ (U S) S⁻². */
function addFromPages(
  { query, segment, vectors }: { query: Float64Array; segment: Segment; vectors: SegmentVectors },
  { entry, weight }: WeightedTerm,
  rarity: number,
): void {
  const { dimensions, pages, pageSteps, pageFactors, singularValues } = vectors
  const sum = new Float64Array(dimensions)
  visitFrequencies(segment, entry, (page, frequency) => {
    const value = Math.log1p(frequency) * rarity * pageFactors[page]
    const from = page * dimensions
    for (let k = 0; k < dimensions; k++) sum[k] += value * pages[from + k]
  })
  for (let k = 0; k < dimensions; k++) {
    const singular = singularValues[k]
    if (singular > 0) query[k] += (weight * rarity * sum[k] * pageSteps[k]) / singular ** 2
  }
}
