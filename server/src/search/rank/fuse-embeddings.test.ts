import { expect, test } from 'vitest'
import { elementAt } from '#lib/arrays.ts'
import { makeEmbeddings, setEmbedding, withEmbeddings } from '#search/segment/embeddings.ts'
import { openSegment } from '#search/segment/open-segment.ts'
import { SegmentBuilder } from '#search/segment/segment-builder.ts'
import { samplePage } from '../../../test/support/lib/sample-pages.ts'
import { createRanker } from './rank.ts'
import { createSigns, similarChunks, similarity } from './fuse-embeddings.ts'

const DIRECTIONS = { near: Float32Array.of(1, 0.2), far: Float32Array.of(0.1, 1), query: Float32Array.of(1, 0) }

/** A ranking by the words of no page. Passages under `Near` have almost the meaning of the question. */
function rankByMeaning(path?: string) {
  const sections = (heading: string) => Array.from({ length: 5 }, () => ({ heading, text: 'Plain text.' }))
  const builder = new SegmentBuilder()
  const pages = [samplePage('a/near', 'A', sections('Near')), samplePage('b/far', 'B', sections('Far'))]
  for (const { page, markdown } of pages) builder.add(page, markdown)
  const bytes = builder.finish()
  const embeddings = makeEmbeddings('m', 2, 10)
  for (let chunk = 0; chunk < 10; chunk++) setEmbedding(embeddings, chunk, chunk < 5 ? DIRECTIONS.near : DIRECTIONS.far)
  const segment = openSegment(withEmbeddings(bytes, embeddings))
  const embedding = { model: 'm', vector: DIRECTIONS.query }
  const parts = [{ segment, sourceId: 'source', type: 'docs' as const }]
  const { chunks } = createRanker()(parts, { query: 'zebra', embedding, ...(path ? { path } : {}) }, 9)
  return chunks.map(({ part, page }) => new URL(part.segment.url(page)).pathname)
}

test('finds passages by their meaning, at most three of a page', () => {
  expect(rankByMeaning()).toEqual(['/a/near', '/a/near', '/a/near', '/b/far', '/b/far', '/b/far'])
})

test('finds passages by their meaning only among those of a path', () => {
  expect(rankByMeaning('/b')).toEqual(['/b/far', '/b/far', '/b/far'])
})

/** Deterministic pseudo-random numbers. */
function series(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32 - 0.5
  }
}

function collection(chunks: number, dimensions: number) {
  const next = series(chunks)
  const embeddings = makeEmbeddings('m', dimensions, chunks)
  const vectors = Array.from({ length: chunks }, () => Float32Array.from({ length: dimensions }, next))
  for (const [chunk, vector] of vectors.entries()) if (chunk % 10 !== 3) setEmbedding(embeddings, chunk, vector)
  return { embeddings, vectors }
}

const unit = (vector: Float32Array) => vector.map((value) => value / Math.hypot(...vector))
const cosine = (a: Float32Array, b: Float32Array) =>
  unit(a).reduce((sum, value, at) => sum + value * elementAt(unit(b), at), 0)

test('keeps cosines accurate after quantisation and gives missing vectors similarity 0', () => {
  const { embeddings, vectors } = collection(50, 40)
  const query = unit(vectors[7] ?? new Float32Array())
  for (const [chunk, vector] of vectors.entries()) {
    const wanted = chunk % 10 === 3 ? 0 : cosine(query, vector)
    expect(Math.abs(similarity(embeddings, chunk, query) - wanted)).toBeLessThan(0.01)
  }
  const allowed = (chunk: number) => chunk !== 7
  const found = similarChunks(embeddings, query, { count: 5, allowed, signsOf: createSigns() })
  expect(found).toHaveLength(5)
  expect(found.every(({ chunk }) => chunk !== 7 && chunk % 10 !== 3)).toBe(true)
  expect(similarChunks(embeddings, query, { count: 1, allowed: () => true, signsOf: createSigns() })[0]?.chunk).toBe(7)
})

test.each([1_000, 1_001, 9_000])('finds the nearest of %i chunks with exact or sign-based search', (chunks) => {
  const { embeddings, vectors } = collection(chunks, 96)
  for (const wanted of [0, 234, 998]) {
    // A vector near the wanted one, but not equal to it.
    const next = series(wanted + 1)
    const near = unit(Float32Array.from(vectors[wanted] ?? [], (value) => value + next() * 0.4))
    expect(similarChunks(embeddings, near, { count: 3, allowed: () => true, signsOf: createSigns() })[0]?.chunk).toBe(
      wanted,
    )
  }
})
