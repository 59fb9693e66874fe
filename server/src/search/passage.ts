import type { Block, CodeBlock } from '#documents/model/document.ts'
import { headAbove } from '#documents/model/read-block.ts'
import { joinHeadings } from '#documents/model/sections.ts'
import { sectionAddress } from '#lib/addresses/page-address.ts'
import type { SourceType } from '@docent/contract/values/sources'
import type { PageKind } from './catalogue/page-kind.ts'
import { type Chunk, codeIn } from './page.ts'
import { longestRun } from '#documents/model/markdown-blocks.ts'

/** True for a page that a request allows, by its source and the path of its URL. */
export type Within = (sourceId: string, path: string) => boolean

/** A search over the sources of one server. */
export type SearchRequest = {
  query: string
  /** Maximum number of passages, 1 to 50. */
  limit: number
  /** Number of top passages to skip, for continuation. */
  offset?: number
  sourceId?: string
  type?: SourceType
  /** Restricts results to pages whose URL path starts with this, or matches it as a glob with `*`. */
  path?: string
  kinds?: readonly PageKind[]
  /** Restricts results to pages with this version in their URL (see `catalogue/page-version.ts`). */
  version?: string
  /** Restricts results to pages for which this is true. */
  within?: Within
  /** Restricts results to passages with code in this language; `true` for any language. */
  code?: true | string
  /** Maximum bytes of passage text. The rest is left for the next page. Default 5,000. */
  budget?: number
}

/** A code block of a passage, without fences. `start` is its offset in the text of the passage, in UTF-16 units. */
export type PassageCode = { language: string | null; text: string; start: number }

/** A section, or a part of one, as citations show it. */
export type PassagePlace = Pick<Passage, 'title' | 'heading' | 'url' | 'sourceId'>

/** A passage of an answer, with its citation. */
export type Passage = {
  /** 1 is best. Continues across pages of results. */
  rank: number
  /** Comparable within one answer only. */
  score: number
  title: string
  /** Headings below the page title, outermost first. Empty at the top of a page. */
  headings: readonly string[]
  /** `headings` as citations show them, from `joinHeadings`. */
  heading: string
  /** Absolute URL, with `#anchor` if the heading has one. */
  url: string
  sourceId: string
  type: SourceType
  /** Addresses of later parts of the passage, such as later pages of a PDF, with offsets into its text, in order. */
  turns: { start: number; url: string }[]
  /** Offset of the passage in the Markdown of its page, in UTF-16 units. */
  start: number
  /** Markdown exactly as indexed, possibly truncated at the end of a block. */
  passage: string
  /** Blocks of the text, with offsets into it. A divided block is clipped. */
  blocks: Block[]
  code: PassageCode[]
  /** The header of the table in which the passage begins, and the title of its group (`headAbove`). */
  tableHead?: string
}

/** A pinned section. `isCut`: it is longer than what may be quoted. */
export type PinnedPassage = Passage & { isCut?: true }

export type SearchResult = {
  passages: Passage[]
  /** Value of `offset` for the next page, or null at the end. */
  nextOffset: number | null
  /** Spelling corrections of query words, as `[given, used]`. */
  repaired: [string, string][]
  /** Content words of the query, as given or corrected, with the smoothed share of searched pages that have them. */
  words: { word: string; share: number; isUnknown?: true }[]
  /** Agreement of the features on the best passage, 0 to 1: its share of the highest possible score. */
  agreement: number
  /** Use of embeddings. `failed`: the sources have embeddings, but the question's could not be computed. */
  embeddings: 'off' | 'used' | 'failed'
  /**
   * Whole sections that the owner pinned to this question, in the order to show, before `passages`. Those are as without
   * the pins and can have the same sections, so that confidence does not depend on pins. Absent: none.
   */
  pinned?: PinnedPassage[]
  /** Sections that the owner left out for this question. `passages` has none of them. Absent: none. */
  excluded?: { url: string; heading: string }[]
}

/** True for a passage of a section that the owner left out. Without an anchor, the heading tells the section. */
export function isLeftOut(
  { url, heading }: Pick<Passage, 'url' | 'heading'>,
  { excluded = [] }: Pick<SearchResult, 'excluded'>,
) {
  return excluded.some((section) => section.url === url && (url.includes('#') || section.heading === heading))
}

type ChunkOfPage = {
  /** URL of the page without fragment. */
  url: string
  markdown: string
  chunk: Chunk
  /** End of the passage in the Markdown, if it is cut before the end of the chunk. */
  end?: number
}

/** The text of a chunk as a passage, with its place. Omits code blocks that the end of the passage cuts. */
export function passageOfChunk({
  url,
  markdown,
  chunk,
  end = chunk.end,
}: ChunkOfPage): Omit<Passage, 'rank' | 'score' | 'title' | 'sourceId' | 'type'> {
  const { start, headings, anchor, turns = [] } = chunk
  const blocks = chunk.blocks.flatMap((block) => cutBlock(block, end) ?? [])
  const isInTable = blocks[0]?.kind === 'table' && blocks[0].continues
  return {
    ...(isInTable ? { tableHead: headOfTable(markdown, start) } : {}),
    headings,
    heading: joinHeadings(headings),
    url: sectionAddress(url, anchor),
    turns: turns.map((turn) => ({ start: turn.start - start, url: sectionAddress(url, turn.anchor) })),
    start,
    passage: markdown.slice(start, end),
    blocks: blocks.map((block) => movedBlock(block, -start)),
    code: codeIn(blocks).map((block) => ({
      language: block.language,
      text: markdown.slice(block.start, block.end),
      start: block.start - start,
    })),
  }
}

/** The header of the table around an offset, and the title of the group there. */
function headOfTable(markdown: string, at: number): string {
  const gap = markdown.lastIndexOf('\n\n', at)
  return headAbove(markdown, gap < 0 ? 0 : gap + 2, at)
}

/** A block up to an offset. Null if nothing is left, and for code, which is no use in part. */
function cutBlock(block: Block, end: number): Block | null {
  if (block.end <= end) return block
  return block.start >= end || block.kind === 'code' ? null : { ...block, end }
}

/** A block with its offsets moved. */
export function movedBlock(block: Block, by: number): Block {
  const moved = { ...block, start: block.start + by, end: block.end + by }
  return moved.kind === 'code' ? { ...moved, codeStart: moved.codeStart + by, codeEnd: moved.codeEnd + by } : moved
}

/** Address of the text at an offset in a passage. */
export function addressInPassage({ url, turns }: Pick<Passage, 'url' | 'turns'>, at: number): string {
  return turns.findLast(({ start }) => start <= at)?.url ?? url
}

type Fenced = Pick<Passage, 'passage' | 'tableHead'> & { blocks: readonly Block[] }

/**
 * Adds missing fences to a passage that begins or ends in a code block: text after it would render as code. Adds the
 * header to one that begins in a table.
 */
export function closeFences(fenced: Fenced): string {
  const { head, tail } = missingFences(fenced)
  return head + fenced.passage + tail
}

function missingFences({ passage, blocks, tableHead = '' }: Fenced): { head: string; tail: string } {
  const [first, last] = [blocks[0], blocks.at(-1)]
  const isOpen = first?.kind === 'code' && first.codeStart === first.start && first.codeEnd > first.codeStart
  const head = isOpen
    ? `${closingOf(passage, first) || marksAround(passage, first)}${first.language ?? ''}\n`
    : tableHead
  if (last?.kind !== 'code' || last.codeEnd < last.end) return { head, tail: '' }
  const mark = isOpen && first === last ? marksAround(passage, last) : openingOf(passage, last)
  return { head, tail: `\n${mark}` }
}

/** Passages with complete fences, and the headers of tables. */
export function withFences(passages: readonly Passage[]): Passage[] {
  return passages.map((passage) => {
    const { head, tail } = missingFences(passage)
    if (head === '' && tail === '') return passage
    const shifted = <T extends { start: number }>(each: T): T => ({ ...each, start: each.start + head.length })
    const moved = passage.blocks.map((block) => movedBlock(block, head.length))
    const text = head + passage.passage + tail
    const blocks = moved.map((block, at) => ({
      ...block,
      ...(at === 0 && head !== '' ? { start: 0 } : {}),
      ...(at === moved.length - 1 && tail !== '' ? { end: text.length } : {}),
    }))
    return { ...passage, blocks, code: passage.code.map(shifted), turns: passage.turns.map(shifted), passage: text }
  })
}

/** The fence line below the code, or an empty text. */
function closingOf(passage: string, { codeEnd, end }: CodeBlock): string {
  return passage.slice(codeEnd, end).trim()
}

/** The marks of the fence line above the code, with their indent. */
function openingOf(passage: string, { start, codeStart }: CodeBlock): string {
  return /^[ \t]*[`~]+/.exec(passage.slice(start, codeStart))?.[0] ?? ''
}

/** A fence longer than any run of backticks in the code. */
function marksAround(passage: string, { codeStart, codeEnd }: CodeBlock): string {
  return '`'.repeat(Math.max(3, longestRun(passage.slice(codeStart, codeEnd)) + 1))
}
