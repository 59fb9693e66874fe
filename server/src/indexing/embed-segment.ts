import { elementAt } from '#lib/arrays.ts'
import { zstdDecompressSync } from 'node:zlib'
import type { EmbeddingModel } from '#models/embedding-model.ts'
import { ModelError } from '#models/chat-model.ts'
import {
  type ChunkToEmbed,
  planEmbeddings,
  makeEmbeddings,
  type SegmentEmbeddings,
  setEmbedding,
  withEmbeddings,
} from '#search/segment/embeddings.ts'
import { openSegment } from '#search/segment/open-segment.ts'
import type { Store } from '#store/db.ts'
import { readTexts } from '#store/pages/segments.ts'

export type EmbedDeps = {
  store: Store
  embedder: {
    model: EmbeddingModel
    /** Called on failures, and with the tokens spent on a source's texts. Must not throw. */
    onFailure: (error: unknown) => void
    onUsage: (sourceId: string, tokens: number) => void
  }
  sourceId: string
  signal: AbortSignal
}

/** Chunks per request. Providers accept some hundreds; local models are slow with more. */
const BATCH = 32
/** Characters per chunk, some 1,000 tokens: the beginning of a chunk shows its subject. */
const MOST = 4_000
/** Bytes of embeddings per segment: more would crowd other segments out of memory. */
const MOST_BYTES = 96_000_000

/**
 * Adds embeddings to the chunks of a segment; null if none are missing. Copies vectors of unchanged texts from `old`.
 * If the model fails, the remaining chunks have no vectors until the next indexing, and are found by full-text search
 * only. Rejects when aborted.
 */
export async function embedSegment(
  { store, embedder, sourceId, signal }: EmbedDeps,
  { bytes, old }: { bytes: Uint8Array; old: readonly Uint8Array[] },
): Promise<Uint8Array<ArrayBuffer> | null> {
  const { model, onFailure, onUsage } = embedder
  const segment = openSegment(bytes)
  const plan = await planEmbeddings(segment, [...old.map(openSegment), segment], model.name)
  const isOwn = segment.embeddings?.model === model.name
  if (plan.embed.length === 0 && (isOwn || plan.copy.length === 0)) return null
  let made: SegmentEmbeddings | null = null
  const room = (dimensions: number) => {
    made ??= makeEmbeddings(model.name, dimensions, segment.chunkCount)
    if (made.dimensions !== dimensions)
      throw new ModelError('malformed', 'The model has changed the length of its vectors.')
    return made
  }
  for (const { chunk, from, fromChunk } of plan.copy) {
    if (from.embeddings === null) continue
    const { dimensions, scales, values } = from.embeddings
    const to = room(dimensions)
    to.scales[chunk] = elementAt(scales, fromChunk)
    to.values.set(values.subarray(fromChunk * dimensions, (fromChunk + 1) * dimensions), chunk * dimensions)
  }
  let done = 0
  try {
    for (let at = 0; at < plan.embed.length; at += BATCH) {
      signal.throwIfAborted()
      const batch = plan.embed.slice(at, at + BATCH)
      const { vectors, tokens } = await model.embed(await textsOf(store, sourceId, batch), { signal })
      onUsage(sourceId, tokens)
      const dimensions = vectors[0]?.length ?? 0
      if (dimensions * segment.chunkCount > MOST_BYTES) {
        throw new ModelError('refused', `${segment.chunkCount} passages with ${dimensions} numbers each are too many.`)
      }
      for (const [index, { chunk }] of batch.entries()) {
        const vector = vectors[index]
        if (vector) setEmbedding(room(dimensions), chunk, vector)
      }
      done += batch.length
    }
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof ModelError)) throw error
    onFailure(error)
  }
  // No embeddings were made, so keep the segment as it is.
  if (made === null || (done === 0 && isOwn)) return null
  return withEmbeddings(bytes, made)
}

/** Builds the text to embed for each chunk: its title and headings, then its content. */
async function textsOf(store: Store, sourceId: string, batch: readonly ChunkToEmbed[]): Promise<string[]> {
  const hashes = [...new Set(batch.map(({ textHash }) => textHash))]
  const texts = new Map(
    [...(await readTexts(store, sourceId, hashes))].map(([hash, text]) => [hash, zstdDecompressSync(text).toString()]),
  )
  return batch.map(({ textHash, start, end, title, headings }) => {
    const text = texts.get(textHash)?.slice(start, end) ?? ''
    return [[title, ...headings].join(' › '), text].join('\n').slice(0, MOST).toWellFormed()
  })
}
