import { isUnder, joinedBlocks } from '#documents/model/sections.ts'
import type { Chunk } from './page.ts'
import type { RankedChunk } from './rank/fuse.ts'
import type { ChunkPlace } from './segment/page-record.ts'

/** Bytes of a passage with the text around it. Two such passages leave room for three of usual length. */
export const MOST_GROWN = 2_000
type Room = {
  markdown: string
  /** Bytes by which the passage may grow. */
  room: number
  /** Numbers of passages of the page that the result has besides. */
  others: readonly number[]
}

/**
 * Extends a passage by neighbouring passages of its section: first to the beginning of the section, which says what the
 * section is about, and then to its end. Returns the passage and the bytes that it gained.
 */
export function growPassage(
  { part: { segment }, page, chunk: at }: RankedChunk,
  own: Chunk,
  { markdown, room, others }: Room,
): { chunk: Chunk; bytes: number } {
  const first = segment.pageChunks[page]
  const chunks = [own]
  let [from, to, bytes] = [at, at, 0]
  const take = (place: number): boolean => {
    if (place < first || place >= segment.pageChunks[page + 1] || others.includes(place)) return false
    const { start, end } = segment.span(page, place)
    const [gainedFrom, gainedTo] = place < from ? [start, startOf(chunks)] : [endOf(chunks), end]
    // Most neighbours are too long, by their characters alone, or of another section.
    if (bytes + gainedTo - gainedFrom > room) return false
    const next = segment.place(page, place)
    const size = isOfSection(next, own) ? Buffer.byteLength(markdown.slice(gainedFrom, gainedTo)) : Infinity
    if (bytes + size > room) return false
    bytes += size
    const chunk = segment.chunk(page, place, next)
    if (place < from) chunks.unshift(chunk)
    else chunks.push(chunk)
    from = Math.min(from, place)
    to = Math.max(to, place)
    return true
  }
  const goOn = (isWanted: () => boolean) => {
    while (isWanted());
  }
  goOn(() => take(from - 1))
  goOn(() => take(to + 1))
  return { chunk: chunks.length === 1 ? own : joinChunks(own, chunks), bytes }
}

function startOf(chunks: readonly Chunk[]): number {
  return chunks[0].start
}

function endOf(chunks: readonly Chunk[]): number {
  return chunks[chunks.length - 1].end
}

/** True for passages of one section of a page. */
function isOfSection(one: ChunkPlace, other: ChunkPlace): boolean {
  const isSameLevel = one.headings.length === other.headings.length
  return isSameLevel && one.anchor === other.anchor && isUnder(one.headings, other.headings)
}

/** Adjacent chunks, in order, as one with the headings of `own`. */
function joinChunks({ headings, anchor }: Chunk, chunks: readonly Chunk[]): Chunk {
  let last = chunks[0].anchor
  const turns = chunks.flatMap((chunk) => {
    const own = chunk.anchor === null || chunk.anchor === last ? [] : [{ start: chunk.start, anchor: chunk.anchor }]
    last = chunk.anchor
    return [...own, ...(chunk.turns ?? [])]
  })
  const entries = chunks.flatMap((chunk) => chunk.entries ?? [])
  const blocks = joinedBlocks(chunks.flatMap((chunk) => chunk.blocks))
  return {
    start: startOf(chunks),
    end: endOf(chunks),
    headings,
    anchor,
    blocks,
    ...(turns.length > 0 ? { turns } : {}),
    ...(entries.length > 0 ? { entries } : {}),
  }
}
