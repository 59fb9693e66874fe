import type { Block } from '#documents/model/document.ts'
import type { SourceType } from '@docent/contract/values/sources'
import type { PageKind } from './catalogue/page-kind.ts'

/** A search over the sources of one server. */
export type SearchRequest = {
  query: string
  /** Maximum number of passages, 1 to 50. */
  limit: number
  /** Number of top passages to skip, for continuation. */
  offset?: number
  /** Restricts results to this source. */
  sourceId?: string
  /** Restricts results to sources of this type. */
  type?: SourceType
  /** Restricts results to pages whose URL path starts with this, or matches it as a glob with `*`. */
  path?: string
  /** Restricts results to pages of one of these kinds. */
  kinds?: readonly PageKind[]
  /** Restricts results to pages with this version in their URL (see `catalogue/page-version.ts`). */
  version?: string
  /** Restricts results to passages with code in this language; `true` for any language. */
  code?: true | string
  /** Maximum bytes of passage text. The rest is left for the next page. Default 5,000. */
  budget?: number
}

/** A code block of a passage, without fences. `start` is its offset in the text of the passage, in UTF-16 units. */
export type PassageCode = { language: string | null; text: string; start: number }

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
}

export type SearchResult = {
  passages: Passage[]
  /** Value of `offset` for the next page, or null at the end. */
  nextOffset: number | null
  /** Spelling corrections of query words, as `[given, used]`. */
  repaired: [string, string][]
  /**
   * Content words of the query, as given or corrected. `share` is the smoothed share of searched pages with the word, 0
   * to 1.
   */
  words: { word: string; share: number }[]
  /** Agreement of the features on the best passage, 0 to 1: its share of the highest possible score. */
  agreement: number
  /** Use of embeddings. `failed`: the sources have embeddings, but the question's could not be computed. */
  embeddings: 'off' | 'used' | 'failed'
}
