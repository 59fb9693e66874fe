import { ByteCache } from '#search/byte-cache.ts'
import type { DictionaryEntry } from '#search/segment/dictionary.ts'
import type { Weights } from '#search/weights.ts'
import type { Corpus, CorpusPart } from './corpus.ts'
import type { KnownCorpus } from './known-corpora.ts'
import { makeFrequencies } from './norms.ts'
import { impactBytes, makeImpacts, type TermImpacts, type TermRarity } from './term-impacts.ts'

/** A bounded cache of impacts. Keys and values are the same in every thread. */
export type ImpactStore = {
  get(key: string): TermImpacts | undefined
  /** `segments`: ids of the corpus's segments that have one. */
  set(key: string, impacts: TermImpacts, bytes: number, segments: readonly string[]): void
}

/** Returns the impacts of a term in a part of the corpus. */
export type ImpactsOf = (part: CorpusPart, entry: DictionaryEntry, rarity: TermRarity) => TermImpacts

/**
 * Cache size for impacts. A term takes 4 bytes per passage and per page with it: the sixty most frequent terms of a
 * server with 100,000 passages take 6 MB, and of one with 1,000 about 0.05 MB.
 */
export const IMPACT_BYTES = 48_000_000
/** Bytes of postings below which reading is as fast as caching. */
const FREQUENT_FROM = 40

/**
 * Computes impacts and caches those of frequent terms, whose postings most questions would read again. Eviction of the
 * least recently used entries also removes those of old corpora.
 */
export function createImpactCache(
  weights: Weights,
  cache: ImpactStore = new ByteCache(IMPACT_BYTES),
): (known: KnownCorpus) => ImpactsOf {
  const frequencies = makeFrequencies()
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
