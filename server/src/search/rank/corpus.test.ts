import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { openSegment } from '#search/segment/open-segment.ts'
import { SegmentBuilder } from '#search/segment/segment-builder.ts'
import { samplePage } from '../../../test/support/lib/sample-pages.ts'
import { WEIGHTS } from '#search/weights.ts'
import { createKnownCorpora } from './corpus.ts'

function part(path: string) {
  const builder = new SegmentBuilder()
  const { page, markdown } = samplePage(path, path, [{ heading: 'Overview', text: 'Nothing in particular.' }])
  builder.add(page, markdown)
  return { segment: openSegment(builder.finish()), sourceId: 'source', type: 'docs' as const }
}

test('computes the norms of the same segments only once, and anew after one of them changes', () => {
  const [a, b, c] = [part('a'), part('b'), part('c')]
  const join = createKnownCorpora(WEIGHTS)
  const known = join([a, b])
  const again = join([{ ...a }, { ...b, sourceId: 'other' }])
  expect([again.id, again.norms]).toEqual([known.id, known.norms])
  expect(again.norms).toBe(known.norms)
  for (const others of [[a], [a, c], [a, b, c], [b, a], [a, { ...b, sourceId: 'other' }]]) {
    const { corpus } = join(others)
    expect(corpus.segments).toEqual(others.map(({ segment }) => segment))
    expect(corpus.parts.map(({ sourceId }) => sourceId)).toEqual(others.map(({ sourceId }) => sourceId))
    expect(corpus.counters.pages).toBe(others.length)
  }
  expect(new Set([[a], [a, c], [a, b, c], [b, a], [a, b]].map((given) => join(given).id)).size).toBe(5)
  expect(join([]).corpus.counters.pages).toBe(0)
})

test('gives a corpus of segments with ids the same id in every thread', () => {
  const given = [{ ...part('a'), segmentId: 'seg_1' }]
  const [one, other] = [createKnownCorpora(WEIGHTS), createKnownCorpora(WEIGHTS)]
  other([part('b')])
  expect(other(given).id).toBe(one(given).id)
})

test('remembers a bounded number of corpora with the same first segment', () => {
  const parts = ['a', 'b', 'c', 'd', 'e'].map(part)
  const join = createKnownCorpora(WEIGHTS)
  const upTo = (count: number) => join(parts.slice(0, count)).norms
  const [first, ...others] = [1, 2, 3, 4].map(upTo)
  expect([1, 2, 3, 4].map(upTo).every((norms, index) => norms === [first, ...others][index])).toBe(true)
  const fifth = upTo(5)
  expect(upTo(5)).toBe(fifth)
  expect(upTo(1)).not.toBe(first)
})

test('forgets a corpus after a later segment was replaced', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const join = createKnownCorpora(WEIGHTS)
  const [first, second] = [part('a'), part('c')]
  const replaced = (() => {
    const old = part('b')
    join([first, old])
    return new WeakRef(old.segment)
  })()
  const { norms } = join([first, second])
  // A WeakRef keeps its target alive until the end of the turn that created it.
  await setImmediate()
  collectGarbage()
  expect(replaced.deref()).toBeUndefined()
  expect(join([first, second]).norms).toBe(norms)
})
