import { createHash } from 'node:crypto'
import type { Segment } from '#search/segment/open-segment.ts'
import type { Weights } from '#search/weights.ts'
import { type Corpus, joinCorpus, type SourceSegment } from './corpus.ts'
import { makeNorms, type Norms } from './norms.ts'

export type KnownCorpus = {
  /** Unique per set of segments. The same in every thread if the segments have ids. */
  id: string
  corpus: Corpus
  norms: Norms
}

/** Cached corpora with the same first segment: a whole server, and subsets restricted by source. */
const MOST_OF_ONE = 4
/** 96 bits: enough to exclude collisions within one service. */
const NAME_LENGTH = 16

/**
 * Joins segments into a corpus and caches it as long as all its segments are in memory. The segments of a server rarely
 * change between questions.
 */
export function createKnownCorpora(weights: Weights): (given: readonly SourceSegment[]) => KnownCorpus {
  const byFirst = new WeakMap<Segment, Held[]>()
  let count = 0
  return (given) => {
    const first = given[0]?.segment
    const before = (first && byFirst.get(first)) ?? []
    for (const held of before) {
      const same = find(held, given)
      if (same && isOf(same, given)) return same
    }
    const corpus = joinCorpus(given)
    const known = { id: nameOf(given) ?? `${++count}`, corpus, norms: makeNorms(corpus.counters, weights) }
    if (first) byFirst.set(first, [hold(given, known), ...before.slice(0, MOST_OF_ONE - 1)])
    return known
  }
}

/**
 * Holds a corpus weakly by all its segments, through nested maps, one per segment. Held by the first segment alone, it
 * would keep replaced versions of the others in memory.
 */
type Held = WeakMap<Segment, Held | KnownCorpus>

function hold(given: readonly SourceSegment[], known: KnownCorpus): Held {
  return given.reduceRight<Held | KnownCorpus>((held, { segment }) => new WeakMap([[segment, held]]), known) as Held
}

function find(held: Held, given: readonly SourceSegment[]): KnownCorpus | undefined {
  let at: Held | KnownCorpus | undefined = held
  for (const { segment } of given) {
    if (!(at instanceof WeakMap)) return undefined
    at = at.get(segment)
  }
  return at instanceof WeakMap ? undefined : at
}

function isOf({ corpus: { parts } }: KnownCorpus, given: readonly SourceSegment[]): boolean {
  return (
    parts.length === given.length &&
    given.every(({ segment, sourceId, type }, index) => {
      const part = parts[index]
      return part?.segment === segment && part.sourceId === sourceId && part.type === type
    })
  )
}

/** Hash of the segment ids. Null if a segment has none. */
function nameOf(given: readonly SourceSegment[]): string | null {
  const hash = createHash('sha256')
  for (const { segmentId } of given) {
    if (segmentId === undefined) return null
    hash.update(`${segmentId}\n`)
  }
  return hash.digest('base64url').slice(0, NAME_LENGTH)
}
