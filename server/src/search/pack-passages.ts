import type { Span } from '#documents/model/document.ts'
import { growPassage, MOST_GROWN } from './grow-passage.ts'
import { passageOfChunk, type Passage, type SearchRequest, type SearchResult } from './passage.ts'
import { requestedAddress } from './rank/page-filter.ts'
import { pageOf, placeOf, type RankedChunk } from './rank/fuse.ts'
import type { WantedText } from './segment/open-segment.ts'
import type { PassageRecord } from './segment/page-record.ts'
import { bitDistance } from './segment/hashes.ts'
import type { SourceLimit } from './rules/active-rules.ts'
import { type Chunk, codeIn, type CodeSpan } from './page.ts'

/** Bytes of passages in an answer. Keeps five formatted passages below 6 kB. */
export const DEFAULT_BUDGET = 5_000
/** Factor by which a passage may exceed an even share. Better passages come first, and short ones leave room. */
const GENEROSITY = 1.3

export type ChunkToPack = { ranked: RankedChunk; record: PassageRecord }

/** A ranked passage with its display data. */
export function describeChunk(ranked: RankedChunk): ChunkToPack {
  const { part, page, chunk, head = part.segment.head(page) } = ranked
  return { ranked, record: { ...head, chunk: part.segment.chunk(page, chunk, placeOf(ranked)) } }
}

export function textOfChunk({ ranked, record }: ChunkToPack): WantedText {
  return { sourceId: ranked.part.sourceId, textHash: record.textHash }
}

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
  /** The requested version and path, at which pages are cited if they are the same there. */
  request: Pick<SearchRequest, 'version' | 'path'>
}

/** A passage in the result. */
type Packed = ChunkToPack & Cut & { markdown: string; place: number }

/**
 * Packs passages into the byte budget, at least one. The best ones take what is left for more of their
 * sections. The rest is left for the next page of results.
 */
export function packPassages(input: PackInput): Pick<SearchResult, 'passages' | 'nextOffset'> {
  const { chunks, count, texts, limit, offset, budget, request } = input
  const packed: Packed[] = []
  let left = budget
  let used = 0
  for (const { ranked, record } of chunks) {
    if (packed.length >= limit) break
    const markdown = texts.get(record.textHash)
    if (markdown !== undefined) {
      const allowance = (left / (limit - packed.length)) * GENEROSITY
      const { end, bytes } = cutPassage(markdown, record.chunk, { bytes: Math.min(left, allowance), left })
      if (bytes > left && packed.length > 0) break
      left -= bytes
      packed.push({ ranked, record, markdown, end, bytes, place: offset + used + 1 })
    }
    used++
  }
  const passages = packed.map((one): Passage => {
    const { ranked, record, place } = one
    const { chunk, end, bytes } = grow(one, packed, left)
    const url = requestedAddress(ranked.part.segment, ranked.page, record.url, request)
    left -= bytes
    return {
      rank: place,
      score: ranked.score,
      title: record.title,
      ...passageOfChunk({ url, markdown: one.markdown, chunk, end }),
      sourceId: ranked.part.sourceId,
      type: ranked.part.type,
    }
  })
  return { passages, nextOffset: used < count ? offset + used : null }
}

function grow(own: Packed, packed: readonly Packed[], left: number) {
  const {
    ranked,
    record: { chunk },
    markdown,
    end,
    bytes,
  } = own
  const room = Math.min(left, MOST_GROWN - bytes)
  if (end < chunk.end || room <= 0) return { chunk, end, bytes: 0 }
  const others = packed.flatMap((other) => (other !== own && isSamePage(other, own) ? other.ranked.chunk : []))
  const grown = growPassage(ranked, chunk, { markdown, room, others })
  return { ...grown, end: grown.chunk.end }
}

function isSamePage({ ranked: one }: ChunkToPack, { ranked: other }: ChunkToPack): boolean {
  return one.part === other.part && one.page === other.page
}

/** Factor for each further passage of a page, so that other pages come first. */
const SAME_PAGE = 0.75
/** Maximum Hamming distance between the 64-bit fingerprints of near-duplicates. */
const NEAR_DUPLICATE = 3

/** Chooses the passages to show: spread over pages, one of a section, no near-duplicates, at most `mostOf` of a source. */
export function choosePassages(
  ranked: readonly RankedChunk[],
  count: number,
  mostOf: SourceLimit | null = null,
): RankedChunk[] {
  const perPage = new Map<number, number>()
  const spread = withoutOldCopies(ranked).map((chunk) => {
    const before = perPage.get(pageOf(chunk)) ?? 0
    perPage.set(pageOf(chunk), before + 1)
    return { chunk, score: chunk.score * SAME_PAGE ** before }
  })
  const chosen: RankedChunk[] = []
  const perSource = new Map<string, number>()
  for (const { chunk, score } of spread.sort((a, b) => b.score - a.score)) {
    if (chosen.length >= count) break
    const { sourceId } = chunk.part
    const before = perSource.get(sourceId) ?? 0
    if (mostOf !== null && before >= mostOf(sourceId)) continue
    if (chosen.some((other) => isOfSameSection(chunk, other) || isNearDuplicate(chunk, other))) continue
    chosen.push(score === chunk.score ? chunk : { ...chunk, score })
    if (mostOf !== null) perSource.set(sourceId, before + 1)
  }
  return chosen
}

/** True for two parts of one section: results with the same address. Without anchors, the headings tell. */
export function isOfSameSection(a: RankedChunk, b: RankedChunk): boolean {
  if (pageOf(a) !== pageOf(b)) return false
  const left = placeOf(a)
  const right = placeOf(b)
  if (left.anchor !== null || right.anchor !== null) return left.anchor === right.anchor
  return left.headings.join('\n') === right.headings.join('\n')
}

/** True if two passages have nearly the same text. */
export function isNearDuplicate(a: RankedChunk, b: RankedChunk): boolean {
  const left = a.part.segment.fingerprints
  const right = b.part.segment.fingerprints
  const low = bitDistance(left[a.chunk * 2], right[b.chunk * 2])
  return low <= NEAR_DUPLICATE && low + bitDistance(left[a.chunk * 2 + 1], right[b.chunk * 2 + 1]) <= NEAR_DUPLICATE
}

/** During reindexing a changed page is in an old and a newer segment. The newer one wins. */
function withoutOldCopies(ranked: readonly RankedChunk[]): readonly RankedChunk[] {
  const parts = new Set(ranked.map(({ part }) => part))
  const sources = new Set(ranked.map(({ part }) => part.sourceId))
  if (sources.size === parts.size) return ranked
  const newest = new Map<string, number>()
  const keyOf = ({ part, page }: RankedChunk) => `${part.sourceId} ${part.segment.url(page)}`
  for (const chunk of ranked) newest.set(keyOf(chunk), Math.max(newest.get(keyOf(chunk)) ?? 0, chunk.part.firstPage))
  return ranked.filter((chunk) => chunk.part.firstPage === newest.get(keyOf(chunk)))
}

/** Shorter passages say too little to be worth a citation. */
const LEAST = 240

/** Bytes that a passage may use beyond its share to include text announced by its heading or first sentence. */
const GRACE = 2_000

type Limits = {
  /** Share of this passage, in bytes of UTF-8. */
  bytes: number
  /** Bytes left for this and all further passages. */
  left: number
}

/** End offset of a passage in the text of its page, and its length in bytes of UTF-8. */
type Cut = { end: number; bytes: number }

/**
 * Truncates a passage to its share. Cuts at the end of a block: a blank line outside code, or a list item. Avoids a cut
 * after a heading or a sentence that announces the next block, if there is room for that. Always keeps the whole first
 * block, so that no passage is empty and no fence is broken.
 */
export function cutPassage(
  markdown: string,
  { start, end, blocks }: Pick<Chunk, 'start' | 'end' | 'blocks'>,
  { bytes, left }: Limits,
): Cut {
  const whole = { end, bytes: Buffer.byteLength(markdown.slice(start, end)) }
  if (whole.bytes <= bytes) return whole
  const most = Math.max(LEAST, bytes)
  let cut: Cut | null = null
  let full: Cut | null = null
  let size = 0
  let from = start
  const headingEnds = new Set(blocks.flatMap((block) => (block.kind === 'heading' ? [block.end] : [])))
  for (const at of blockEnds(markdown, { start, end, code: codeIn(blocks) })) {
    size += Buffer.byteLength(markdown.slice(from, at))
    from = at
    if (full && size > most) break
    if (cut && size > Math.max(most, Math.min(left, GRACE))) break
    cut = { end: at, bytes: size }
    if (markdown[at - 1] !== ':' && !headingEnds.has(at)) full = cut
  }
  return full ?? cut ?? whole
}

/** Beginning of a top-level list item. */
const ITEM = /^(?:[-*+]|\d{1,3}[.)])[ \t]/

/** Offsets of block ends. The last one is the end of the passage. */
function* blockEnds(markdown: string, { start, end, code }: Span & { code: readonly CodeSpan[] }): Generator<number> {
  for (let at = markdown.indexOf('\n', start); at >= 0 && at < end; at = markdown.indexOf('\n', at + 1)) {
    if (at === start || isInside(code, at)) continue
    const isEnd = markdown[at + 1] === '\n' ? markdown[at - 1] !== '\n' : ITEM.test(markdown.slice(at + 1, at + 7))
    if (isEnd) yield at
  }
  yield end
}

/** Includes the closing fence, on the line after the code. */
function isInside(code: readonly CodeSpan[], at: number): boolean {
  return code.some((block) => at >= block.start - 1 && at <= block.end)
}
