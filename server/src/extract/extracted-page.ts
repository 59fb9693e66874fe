import type { Block } from '#documents/model/document.ts'

/** A fetched document. */
export type PageInput = {
  /** Absolute URL after redirects. */
  url: string
  /** Raw Content-Type header, or null. */
  contentType: string | null
  bytes: Uint8Array
  /**
   * True if the page belongs to an application with routes in the fragment. Links to routes then count as links to
   * pages.
   */
  withRoutes?: boolean
  /** Increasing offsets (UTF-16 units) into Markdown whose places in the extracted text are wanted. */
  marks?: number[]
}

/** A link on a page. `url` is absolute http(s) and unique within the page. It has no fragment, except a route. */
export type PageLink = {
  url: string
  /** Visible text, one line, at most 200 characters. */
  text: string
  /** True if the link is in the page's own text and not only in navigation. */
  inContent: boolean
}

export type ExtractedPage = {
  kind: 'page'
  title: string
  markdown: string
  blocks: Block[]
  /** Declared language as ISO 639-1, or null. */
  language: string | null
  /** Absolute canonical URL, or null. */
  canonical: string | null
  links: PageLink[]
  noindex: boolean
  nofollow: boolean
  /** True if the page has no text without JavaScript and needs a browser. */
  empty: boolean
  generator: string | null
  /** The older version that the page says it is about, such as `2.x` or `old`, or null. Its URL may have another. */
  version: string | null
  /** Places of the wanted `marks` in the Markdown. */
  marks?: number[]
}

/** Facts of documents without metadata. */
export const NO_FACTS = {
  language: null,
  canonical: null,
  noindex: false,
  nofollow: false,
  generator: null,
  version: null,
}

export type RejectReason =
  | 'not_html'
  | 'too_large'
  | 'too_complex'
  | 'decode'
  | 'no_text'
  | 'login_page'
  | 'soft_404'
  | 'index_page'
  | 'source_view'
  | 'encrypted'
  | 'unreadable'

/** A document without a usable page. */
export type Rejected = {
  kind: 'rejected'
  reason: RejectReason
  /** A sentence for readers of the report. */
  detail: string
  /** Links to follow even though the page has no text. */
  links: PageLink[]
}

export function reject(reason: RejectReason, detail: string, links: PageLink[] = []): Rejected {
  return { kind: 'rejected', reason, detail, links }
}
