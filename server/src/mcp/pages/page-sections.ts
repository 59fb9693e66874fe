import { withoutSection, decoded } from '#lib/addresses/page-address.ts'
import { chunksOf, MAX_PAGE, type OpenPage } from '#documents/library-page.ts'
import { isUnder, joinedBlocks } from '#documents/model/sections.ts'
import { type Chunk, headingsAbove } from '#search/page.ts'
import { type Passage, passageOfChunk } from '#search/passage.ts'

/** A part of a page's text, with the place where it begins. */
type TextOfPage = Pick<Passage, 'heading' | 'url' | 'passage' | 'blocks' | 'code'>

/** Passages of a page whose text is loaded. A longer page is cut (see `boundedPage`). */
export function readableChunks(page: OpenPage): readonly Chunk[] {
  const { length } = page.markdown
  const chunks = chunksOf(page)
  return (chunks.at(-1)?.end ?? 0) <= length ? chunks : chunks.filter(({ end }) => end <= length)
}

/** The note on a page of which only the beginning can be read. */
export function cutNote(page: OpenPage): string[] {
  if (readableChunks(page).length === chunksOf(page).length) return []
  return [`Only the first ${MAX_PAGE.toLocaleString('en')} characters of a page can be read. Search for the rest.`]
}

/** The text from one passage up to another, which it excludes, with the code in it. */
export function textBetween(page: OpenPage, from: number, to: number): TextOfPage {
  const chunks = readableChunks(page).slice(from, to)
  const [first, last] = [chunks[0], chunks.at(-1)]
  if (first === undefined || last === undefined)
    return { heading: '', url: page.url, passage: '', blocks: [], code: [] }
  const whole = { ...first, end: last.end, blocks: joinedBlocks(chunks.flatMap(({ blocks }) => blocks)) }
  return passageOfChunk({ url: page.url, markdown: page.markdown, chunk: whole })
}

/** The section at an address: the number of its first passage, and the number of headings above its text. */
export type SectionPlace = { at: number; depth: number }

/** The number of the passage after a section and its subsections. */
export function sectionEnd(page: OpenPage, { at: from, depth }: SectionPlace): number {
  const chunks = readableChunks(page)
  const path = chunks[from]?.headings.slice(0, depth) ?? []
  const end = chunks.findIndex(({ headings }, at) => at > from && !isUnder(path, headings))
  return end < 0 ? chunks.length : end
}

/** Finds the section at an address: the whole page without a fragment, null for an unknown one. */
export function sectionAt(page: OpenPage, url: string): SectionPlace | null {
  const fragment = fragmentOf(url)
  if (fragment === '') return { at: 0, depth: 0 }
  const wanted = new Set([fragment, decoded(fragment)])
  const isWanted = ({ anchor }: { anchor: string | null }) => anchor !== null && wanted.has(anchor)
  for (const [at, chunk] of readableChunks(page).entries()) {
    const { headings, turns = [] } = chunk
    const above = headingsAbove(chunk.blocks)
    const outer = above.findIndex(isWanted)
    if (outer >= 0) return { at, depth: Math.max(0, headings.length - above.length + outer) }
    if (isWanted(chunk) || turns.some(isWanted)) return { at, depth: headings.length }
  }
  return null
}

/**
 * Reads a page from passage `from` on: at least that one, and up to `bytes` of UTF-8 with `frame` for each section.
 * `rank` numbers the sections of the page from 1. `next` is the passage with which the rest begins, or null at the end.
 */
export function readSections(page: OpenPage, from: number, { bytes, frame }: { bytes: number; frame: number }) {
  const chunks = readableChunks(page)
  const sections: { rank: number; from: number; to: number }[] = []
  let next: number | null = null
  let used = 0
  for (const { rank, chunk, at } of rankedChunks(chunks)) {
    if (at < from) continue
    const last = sections.at(-1)
    const isSame = last?.rank === rank
    used += Buffer.byteLength(page.markdown.slice(chunk.start, chunk.end)) + (isSame ? GAP : frame)
    if (at > from && used > bytes) {
      next = at
      break
    }
    if (isSame) last.to = at + 1
    else sections.push({ rank, from: at, to: at + 1 })
  }
  return { sections: sections.map(({ rank, ...part }) => ({ ...textBetween(page, part.from, part.to), rank })), next }
}

const GAP = 2

/** Passages with the number of their section: consecutive passages below the same headings belong to one. */
function* rankedChunks(chunks: readonly Chunk[]): Generator<{ rank: number; chunk: Chunk; at: number }> {
  let rank = 0
  let before = ''
  for (const [at, chunk] of chunks.entries()) {
    const place = JSON.stringify([chunk.headings, chunk.anchor])
    if (at === 0 || place !== before) rank++
    before = place
    yield { rank, chunk, at }
  }
}

/** The fragment of an address, without its mark. In a client-side route it is the parameter `id`. */
function fragmentOf(url: string): string {
  return url.slice(withoutSection(url).length).replace(/^(?:#|[?&]id=)/, '')
}
