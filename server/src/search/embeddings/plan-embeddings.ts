import { setImmediate } from 'node:timers/promises'
import type { Segment } from '#search/segment/open-segment.ts'

/** A chunk that needs an embedding. */
export type ChunkToEmbed = {
  chunk: number
  textHash: string
  start: number
  end: number
  title: string
  headings: string[]
}

/** A chunk with an existing embedding, and the location of that vector. */
export type ChunkToCopy = { chunk: number; from: Segment; fromChunk: number }

export type EmbeddingPlan = { copy: ChunkToCopy[]; embed: ChunkToEmbed[] }

/** Pages processed between two yields to the event loop. */
const SLICE = 200

/**
 * Finds the chunks of a segment already embedded by the same model in a segment of `old`. A chunk is identified by the
 * hash of its page's text and its offsets, so unchanged chunks cost nothing.
 */
export async function planEmbeddings(segment: Segment, old: readonly Segment[], model: string): Promise<EmbeddingPlan> {
  const known = new Map<string, { from: Segment; fromChunk: number }>()
  for (const from of old) {
    const { embeddings } = from
    if (embeddings?.model !== model) continue
    await eachChunk(from, ({ key, chunk }) => {
      if (embeddings.scales[chunk] > 0) known.set(key, { from, fromChunk: chunk })
    })
  }
  const plan: EmbeddingPlan = { copy: [], embed: [] }
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
