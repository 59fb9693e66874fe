import { cutPassage } from './cut-passage.ts'
import { passageOfChunk } from './passage-of-chunk.ts'
import type { Passage, SearchResult } from './passage.ts'
import type { RankedChunk } from './rank/fuse.ts'
import type { PassageRecord } from './segment/page-record.ts'

/** Bytes of passages in an answer. Keeps five formatted passages below 6 kB. */
export const DEFAULT_BUDGET = 5_000
/** Factor by which a passage may exceed an even share. Better passages come first, and short ones leave room. */
const GENEROSITY = 1.3

export type ChunkToPack = { ranked: RankedChunk; record: PassageRecord }

export type PackInput = {
  /** Chunks in order, without the first `offset`. */
  chunks: readonly ChunkToPack[]
  /** Total number of chunks. Spare chunks need not be in `chunks`. */
  count: number
  /** Markdown by hash. A passage without text is skipped. */
  texts: ReadonlyMap<string, string>
  limit: number
  offset: number
  budget: number
}

/**
 * Packs passages into the byte budget. The rest is left for the next page of results, but at least one passage is
 * always shown.
 */
export function packPassages({
  chunks,
  count,
  texts,
  limit,
  offset,
  budget,
}: PackInput): Pick<SearchResult, 'passages' | 'nextOffset'> {
  const passages: Passage[] = []
  let left = budget
  let used = 0
  for (const { ranked, record } of chunks) {
    if (passages.length >= limit) break
    const markdown = texts.get(record.textHash)
    if (markdown !== undefined) {
      const { chunk } = record
      const allowance = (left / (limit - passages.length)) * GENEROSITY
      const { end, bytes } = cutPassage(markdown, chunk, { bytes: Math.min(left, allowance), left })
      if (bytes > left && passages.length > 0) break
      left -= bytes
      passages.push({
        rank: offset + used + 1,
        score: ranked.score,
        title: record.title,
        ...passageOfChunk({ url: record.url, markdown, chunk, end }),
        sourceId: ranked.part.sourceId,
        type: ranked.part.type,
      })
    }
    used++
  }
  return { passages, nextOffset: used < count ? offset + used : null }
}
