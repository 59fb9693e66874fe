import { ByteCache } from '#search/byte-cache.ts'
import type { DictionaryEntry } from '#search/segment/dictionary.ts'
import type { Weights } from '#search/weights.ts'
import type { Corpus, CorpusPart } from './corpus.ts'
import type { KnownCorpus } from './known-corpora.ts'
import { makeFrequencies } from './norms.ts'
import { impactBytes, makeImpacts, type TermImpacts, type TermRarity } from './term-impacts.ts'

/** Impacts by key, for as long as there is room. Keys and values are the same in every thread. */
export type ImpactStore = {
  get(key: string): TermImpacts | undefined
  /** `segments`: ids of the segments of the corpus that the impacts are made for, as far as they have any. */
  set(key: string, impacts: TermImpacts, bytes: number, segments: readonly string[]): void
}

/** What a term is worth in a part of the corpus. */
export type ImpactsOf = (part: CorpusPart, entry: DictionaryEntry, rarity: TermRarity) => TermImpacts

/**
 * Memory for impacts. A term takes 4 bytes for each passage and each page that has it: the sixty most frequent ones of a
 * server with 100,000 passages take 6 MB, and those of one with 1,000 some 0.05 MB.
 */
export const IMPACT_BYTES = 48_000_000
/** Bytes of postings below which reading them takes no longer than keeping what was read. */
const FREQUENT_FROM = 40

/**
 * Gives impacts, and keeps those of frequent terms: their postings would be read and weighed for most questions again.
 * What was used longest ago goes first, and so what belongs to corpora that are no more.
 */
export function createImpactCache(
  weights: Weights,
  cache: ImpactStore = new ByteCache(IMPACT_BYTES),
): (known: KnownCorpus) => ImpactsOf {
  const frequencies = makeFrequencies(weights)
  return ({ id, norms, corpus }) => {
    const scoring = { norms, frequencies, weights }
    return (part, entry, rarity) => {
      if (entry.end - entry.start < FREQUENT_FROM) return makeImpacts(part, entry, rarity, scoring)
      const key = `${id} ${part.firstPage} ${entry.id}`
      const known = cache.get(key)
      if (known !== undefined) return known
      const impacts = makeImpacts(part, entry, rarity, scoring, true)
      cache.set(key, impacts, impactBytes(impacts), segmentsOf(corpus))
      return impacts
    }
  }
}

function segmentsOf({ parts }: Corpus): string[] {
  return parts.flatMap(({ segmentId }) => segmentId ?? [])
}
