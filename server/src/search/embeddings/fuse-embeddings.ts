import type { Corpus, CorpusPart } from '#search/rank/corpus.ts'
import type { PageFilter } from '#search/rank/page-filter.ts'
import type { RankFeatures, RankedChunk } from '#search/rank/fuse.ts'
import { pageOfChunk } from '#search/segment/page-of-chunk.ts'
import { similarChunks, similarity, type SignsOf } from './similar-chunks.ts'

/**
 * Weight of the most similar passage. Chosen between the weights of latent similarity (0.4) and of whole-page words
 * (0.7), so that neither words nor meaning dominate.
 */
const WEIGHT = 0.6
/** Maximum passages added by similarity alone. */
const NEW_PASSAGES = 20
/** Maximum passages per page, the same as in the lexical ranking. */
const CHUNKS_PER_PAGE = 3

/** Vector of a question, of length 1, and the model that computed it. */
export type QueryEmbedding = { model: string; vector: Float32Array }

type Input = {
  corpus: Corpus
  /** The lexical ranking. */
  ranked: readonly RankedChunk[]
  filter: PageFilter | null
  /** Features of a passage without any word of the question. */
  noFeatures: RankFeatures
  embedding: QueryEmbedding
  signsOf: SignsOf
}

/**
 * Adds embedding similarity to a lexical ranking, linearly. Scales cosines so that the most similar candidate gets 1
 * and the least similar 0, because cosines of texts are close together. Also adds passages that share no word with the
 * question.
 */
export function fuseEmbeddings({
  corpus,
  ranked,
  filter,
  noFeatures,
  embedding: { model, vector: query },
  signsOf,
}: Input): RankedChunk[] {
  const candidates = new Map<number, RankedChunk>(ranked.map((chunk) => [chunk.part.firstChunk + chunk.chunk, chunk]))
  const cosines = new Map<number, number>()
  for (const part of corpus.parts) {
    const { embeddings } = part.segment
    if (embeddings?.model !== model || embeddings.dimensions !== query.length) continue
    const allowed = (chunk: number) => isAllowed(part, chunk, filter)
    for (const { chunk, similarity: cosine } of similarChunks(embeddings, query, {
      count: NEW_PASSAGES,
      allowed,
      signsOf,
    })) {
      const key = part.firstChunk + chunk
      cosines.set(key, cosine)
      if (!candidates.has(key)) {
        const page = pageOfChunk(part.segment.pageChunks, chunk)
        candidates.set(key, { part, page, chunk, score: 0, features: noFeatures })
      }
    }
  }
  for (const [key, { part, chunk }] of candidates) {
    const { embeddings } = part.segment
    if (cosines.has(key) || embeddings?.model !== model || embeddings.dimensions !== query.length) continue
    cosines.set(key, similarity(embeddings, chunk, query))
  }
  const most = Math.max(...cosines.values())
  const least = Math.min(...cosines.values())
  const fused = [...candidates].map(([key, chunk]): RankedChunk => {
    const cosine = cosines.get(key)
    const embedding = cosine === undefined || most === least ? 0 : (cosine - least) / (most - least)
    return { ...chunk, score: chunk.score + WEIGHT * embedding, features: { ...chunk.features, embedding } }
  })
  return atMostPerPage(
    fused.toSorted((a, b) => b.score - a.score || a.part.firstPage + a.page - b.part.firstPage - b.page),
  )
}

function atMostPerPage(chunks: readonly RankedChunk[]): RankedChunk[] {
  const seen = new Map<number, number>()
  return chunks.filter(({ part, page }) => {
    const before = seen.get(part.firstPage + page) ?? 0
    seen.set(part.firstPage + page, before + 1)
    return before < CHUNKS_PER_PAGE
  })
}

function isAllowed({ segment }: CorpusPart, chunk: number, filter: PageFilter | null): boolean {
  if (filter === null) return true
  if (filter.pages.get(segment)?.[pageOfChunk(segment.pageChunks, chunk)] === 0) return false
  return filter.code.get(segment)?.[segment.chunkCode[chunk]] !== 0
}
