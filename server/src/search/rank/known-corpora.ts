import type { Segment } from '#search/segment/open-segment.ts'
import type { Weights } from '#search/weights.ts'
import { type Corpus, joinCorpus, type SourceSegment } from './corpus.ts'
import { makeNorms, type Norms } from './norms.ts'

export type KnownCorpus = { corpus: Corpus; norms: Norms }

/**
 * Joins segments, and remembers for as long as the first of them is in memory what was made of them: the segments of a
 * server are the same from question to question.
 */
export function createKnownCorpora(weights: Weights): (given: readonly SourceSegment[]) => KnownCorpus {
  const byFirst = new WeakMap<Segment, KnownCorpus>()
  return (given) => {
    const first = given[0]?.segment
    const before = first && byFirst.get(first)
    if (before && isOf(before, given)) return before
    const corpus = joinCorpus(given)
    const known = { corpus, norms: makeNorms(corpus.counters, weights) }
    if (first) byFirst.set(first, known)
    return known
  }
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
