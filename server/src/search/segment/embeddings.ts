import { setImmediate } from 'node:timers/promises'
import { SECTION } from './layout.ts'
import { readSections, SegmentError, writeSections } from './sections.ts'
import type { Segment } from './open-segment.ts'

/** Embeddings of chunks in 8 bits: a row times its scale has length 1. Scale 0: no embedding. */
export type SegmentEmbeddings = {
  /** Vectors of different models cannot be compared. */
  model: string
  dimensions: number
  scales: Float32Array
  values: Int8Array
}

/** Reads the embeddings of an open segment with `chunks` chunks. Null if it has none. Throws `SegmentError`. */
export function openEmbeddings(section: (id: number) => Uint8Array, chunks: number): SegmentEmbeddings | null {
  const head = section(SECTION.embeddingHead)
  if (head.byteLength === 0) return null
  const dimensions = head.byteLength < 4 ? 0 : new DataView(head.buffer, head.byteOffset).getUint32(0, true)
  const model = new TextDecoder().decode(head.subarray(4))
  const scales = section(SECTION.embeddingScales)
  const values = section(SECTION.embeddings)
  if (dimensions === 0 || scales.byteLength !== chunks * 4 || values.byteLength !== chunks * dimensions)
    throw new SegmentError('The embeddings of the segment do not fit together.')
  return {
    model,
    dimensions,
    scales: new Float32Array(scales.buffer, scales.byteOffset, chunks),
    values: new Int8Array(values.buffer, values.byteOffset, values.byteLength),
  }
}

/** Allocates embeddings for `chunks` chunks, initially empty. */
export function makeEmbeddings(model: string, dimensions: number, chunks: number): SegmentEmbeddings {
  return { model, dimensions, scales: new Float32Array(chunks), values: new Int8Array(chunks * dimensions) }
}

/** Stores a chunk's vector, normalised to length 1 and quantised to 127 steps either way of its largest component. */
export function setEmbedding({ dimensions, scales, values }: SegmentEmbeddings, chunk: number, vector: Float32Array) {
  const length = Math.hypot(...vector)
  const greatest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  if (length === 0) return
  scales[chunk] = greatest / length / 127
  for (let at = 0; at < dimensions; at++) values[chunk * dimensions + at] = Math.round((vector[at] / greatest) * 127)
}

/** Replaces the embeddings of a segment. */
export function withEmbeddings(bytes: Uint8Array, embeddings: SegmentEmbeddings): Uint8Array<ArrayBuffer> {
  const { model, dimensions, scales, values } = embeddings
  const name = new TextEncoder().encode(model)
  const head = new Uint8Array(4 + name.length)
  new DataView(head.buffer).setUint32(0, dimensions, true)
  head.set(name, 4)
  const own = [
    [SECTION.embeddingHead, head],
    [SECTION.embeddingScales, scales],
    [SECTION.embeddings, values],
  ] as const
  return writeSections(new Map<number, ArrayBufferView>([...readSections(bytes), ...own]))
}

/** A chunk that needs an embedding. */
export type ChunkToEmbed = {
  chunk: number
  textHash: string
  start: number
  end: number
  title: string
  headings: string[]
}

/** Pages processed between two yields to the event loop. */
const SLICE = 200

/** Chunks to embed, and those that `old` has with the same text hash and offsets, embedded by the same model. */
export async function planEmbeddings(segment: Segment, old: readonly Segment[], model: string) {
  const known = new Map<string, { from: Segment; fromChunk: number }>()
  for (const from of old) {
    const { embeddings } = from
    if (embeddings?.model !== model) continue
    await eachChunk(from, ({ key, chunk }) => {
      if (embeddings.scales[chunk] > 0) known.set(key, { from, fromChunk: chunk })
    })
  }
  const plan = { copy: [] as { chunk: number; from: Segment; fromChunk: number }[], embed: [] as ChunkToEmbed[] }
  await eachChunk(segment, ({ key, ...one }) => {
    const before = known.get(key)
    if (before) plan.copy.push({ chunk: one.chunk, ...before })
    else plan.embed.push(one)
  })
  return plan
}

async function eachChunk(segment: Segment, visit: (one: ChunkToEmbed & { key: string }) => void): Promise<void> {
  for (let page = 0; page < segment.pageCount; page++) {
    if (page % SLICE === SLICE - 1) await setImmediate()
    const { title, textHash, chunks } = segment.record(page)
    const first = segment.pageChunks[page]
    for (const [index, { start, end, headings }] of chunks.entries())
      visit({ key: `${textHash} ${start} ${end}`, chunk: first + index, textHash, start, end, title, headings })
  }
}
