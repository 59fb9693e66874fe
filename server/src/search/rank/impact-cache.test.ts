import { expect, test } from 'vitest'
import { ByteCache } from '#search/byte-cache.ts'
import type { DictionaryEntry } from '#search/segment/dictionary.ts'
import { openSegment } from '#search/segment/open-segment.ts'
import { SegmentBuilder } from '#search/segment/segment-builder.ts'
import { samplePage } from '../../../test/support/lib/sample-pages.ts'
import { WEIGHTS } from '#search/weights.ts'
import { createImpactCache } from './impact-cache.ts'
import { createKnownCorpora } from './corpus.ts'
import { impactBytes } from './term-impacts.ts'

const RARITY = () => ({ chunkIdf: 1, fields: [1, 1, 1, 1, 1, 1] })

function corpusOf(count: number) {
  const builder = new SegmentBuilder()
  for (let index = 0; index < count; index++) {
    const text = index === 3 ? 'frequent other rare' : 'frequent other'
    const { page, markdown } = samplePage(`${index}`, 'Page', [{ heading: 'Part', text }])
    builder.add(page, markdown)
  }
  const source = { segment: openSegment(builder.finish()), sourceId: 'source', type: 'docs' as const }
  const known = createKnownCorpora(WEIGHTS)([source])
  const [part] = known.corpus.parts
  if (part === undefined) throw new TypeError('The corpus has a part.')
  const entryOf = (term: string): DictionaryEntry => {
    const entry = part.segment.terms.find(term)
    if (entry === null) throw new TypeError(`"${term}" is in the segment.`)
    return entry
  }
  return { known, part, frequent: entryOf('frequent'), other: entryOf('other'), rare: entryOf('rare') }
}

test('caches impacts of frequent terms only', () => {
  const { known, part, frequent, rare } = corpusOf(200)
  const impactsOf = createImpactCache(WEIGHTS)(known)
  expect(impactsOf(part, frequent, RARITY)).toBe(impactsOf(part, frequent, RARITY))
  expect(impactsOf(part, rare, RARITY)).not.toBe(impactsOf(part, rare, RARITY))
  expect(impactsOf(part, rare, RARITY)).toEqual(impactsOf(part, rare, RARITY))
})

test('evicts the least recently used impacts when full', () => {
  const { known, part, frequent, other } = corpusOf(200)
  const bytes = impactBytes(createImpactCache(WEIGHTS)(known)(part, frequent, RARITY))
  const fits = createImpactCache(WEIGHTS, new ByteCache(2 * bytes))(known)
  const first = fits(part, frequent, RARITY)
  fits(part, other, RARITY)
  expect(fits(part, frequent, RARITY)).toBe(first)
  const tight = createImpactCache(WEIGHTS, new ByteCache(2 * bytes - 1))(known)
  const before = tight(part, frequent, RARITY)
  tight(part, other, RARITY)
  expect(tight(part, frequent, RARITY)).not.toBe(before)
})

test('keeps impacts of different corpora separate, because their statistics differ', () => {
  const { known, part, frequent } = corpusOf(200)
  const cache = createImpactCache(WEIGHTS)
  const impacts = cache(known)(part, frequent, RARITY)
  expect(cache({ ...known, id: `${known.id}1` })(part, frequent, RARITY)).not.toBe(impacts)
})
