import type { SourceType } from '@docent/contract/sources'
import type { PageKind } from './catalogue/page-kind.ts'

/** What a caller asks of the sources of one server. */
export type SearchRequest = {
  query: string
  /** How many passages, 1 to 50. */
  limit: number
  /** How many of the best passages to pass over, for continuation. */
  offset?: number
  /** Only this source. */
  sourceId?: string
  /** Only sources of this kind. */
  type?: SourceType
  /** Only pages whose URL path starts with, or (with `*`) matches, this. */
  path?: string
  /** Only pages of one of these kinds. */
  kinds?: readonly PageKind[]
  /** Only pages whose address says that they are for this version (see `catalogue/page-version.ts`). */
  version?: string
  /** Only passages with code, optionally in this language; `true` for any language. */
  code?: true | string
  /** Bytes of passage text the answer may hold; the rest is left for the next page. Default 5,000. */
  budget?: number
}

/** One passage of an answer, ready to be shown and cited. */
export type Passage = {
  /** 1 is best; counts on over continuations. */
  rank: number
  /** Comparable within one answer only. */
  score: number
  title: string
  /** Heading path below the title, joined with ` › `; empty at the top of a page. */
  heading: string
  /** Absolute, with `#anchor` where the heading has one. */
  url: string
  sourceId: string
  type: SourceType
  /** Markdown, exactly as it stands in the indexed page (possibly cut at a block's end). */
  passage: string
  code: { language: string | null; text: string }[]
}

export type SearchResult = {
  passages: Passage[]
  /** Pass as `offset` to go on, or null at the end. */
  nextOffset: number | null
  /** Words of the query that were repaired, as `[given, used]`. */
  repaired: [string, string][]
  /** Telling words of the query, as given or repaired, with the share of the searched pages that have each, 0 to 1, smoothed. */
  words: { word: string; share: number }[]
  /** How far the best passage is the best in each of passage, page and likeness, 0 to 1: they disagree where nothing fits. */
  agreement: number
  /** Whether embeddings had a part in it: `failed` where the sources have some and the question could not get one. */
  embeddings: 'off' | 'used' | 'failed'
}
