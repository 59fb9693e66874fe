import { ByteCache } from '#search/byte-cache.ts'
import type { DictionaryEntry } from '#search/segment/dictionary.ts'
import type { Weights } from '#search/weights.ts'
import { type CorpusPart, type KnownCorpus, makeFrequencies } from './corpus.ts'
import { impactBytes, makeImpacts, type TermImpacts, type TermRarity } from './term-impacts.ts'

/** A bounded cache of impacts. Keys and values are the same in every thread. */
export type ImpactStore = {
  get(key: string): TermImpacts | undefined
  /** `segments`: ids of the corpus's segments that have one. */
  set(key: string, impacts: TermImpacts, bytes: number, segments: readonly string[]): void
}

/** Returns the impacts of a term in a part of the corpus. */
export type ImpactsOf = (part: CorpusPart, entry: DictionaryEntry, rarity: () => TermRarity) => TermImpacts

/** Cache for impacts. The sixty most frequent terms of a server with 100,000 passages take 6 MB. */
export const IMPACT_BYTES = 48_000_000
/** Bytes of postings below which reading is as fast as caching. */
const FREQUENT_FROM = 40

/** Computes impacts, and caches those of frequent terms. Eviction also removes those of old corpora. */
export function createImpactCache(
  weights: Weights,
  cache: ImpactStore = new ByteCache(IMPACT_BYTES),
): (known: KnownCorpus) => ImpactsOf {
  const frequencies = makeFrequencies()
  return ({ id, norms, corpus }) => {
    const scoring = { norms, frequencies, weights }
    const ids = corpus.parts.flatMap(({ segmentId }) => segmentId ?? [])
    return (part, entry, rarity) => {
      if (entry.end - entry.start < FREQUENT_FROM) return makeImpacts(part, entry, rarity(), scoring)
      const key = `${id} ${part.firstPage} ${entry.id}`
      const known = cache.get(key)
      if (known !== undefined) return known
      const impacts = makeImpacts(part, entry, rarity(), scoring, true)
      cache.set(key, impacts, impactBytes(impacts), ids)
      return impacts
    }
  }
}

/** Sends impacts made by this thread, and the keys used since the last report. */
type Tell = {
  made(key: string, impacts: TermImpacts, segments: readonly string[]): void
  used(keys: string[]): void
}

/** Keys per report of use: several dozen searches. */
const USED_AT_ONCE = 512

/** One thread's view of the shared impacts (see `SharedIndex`). Keeps them until `forget`. */
export class ThreadImpacts implements ImpactStore {
  readonly #tell: Tell
  readonly #known = new Map<string, TermImpacts>()
  readonly #used = new Set<string>()

  constructor(tell: Tell) {
    this.#tell = tell
  }

  get(key: string): TermImpacts | undefined {
    const impacts = this.#known.get(key)
    if (impacts === undefined) return undefined
    this.#used.add(key)
    if (this.#used.size >= USED_AT_ONCE) {
      this.#tell.used([...this.#used])
      this.#used.clear()
    }
    return impacts
  }

  set(key: string, impacts: TermImpacts, _bytes: number, segments: readonly string[]): void {
    this.#known.set(key, impacts)
    this.#tell.made(key, impacts, segments)
  }

  /** Adds impacts made by another thread. */
  take(key: string, impacts: TermImpacts): void {
    this.#known.set(key, impacts)
  }

  forget(keys: readonly string[]): void {
    for (const key of keys) this.#known.delete(key)
  }
}
