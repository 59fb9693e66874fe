import { sectionAddress } from '#lib/addresses/page-address.ts'
import { cutPassage } from './cut-passage.ts'
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
        heading: chunk.headings.join(' › '),
        url: sectionAddress(record.url, chunk.anchor),
        sourceId: ranked.part.sourceId,
        type: ranked.part.type,
        passage: markdown.slice(chunk.start, end),
        code: chunk.code
          .filter((block) => block.end <= end)
          .map((block) => ({ language: block.language, text: markdown.slice(block.start, block.end) })),
      })
    }
    used++
  }
  return { passages, nextOffset: used < count ? offset + used : null }
}
