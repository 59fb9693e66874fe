/** A document as it was fetched. */
export type PageInput = {
  /** Absolute address after redirects. */
  url: string
  /** The header as it came, or null. */
  contentType: string | null
  bytes: Uint8Array
  /** Whether the page is one of an application whose routes are in the fragment: links to those are links to pages. */
  withRoutes?: boolean
}

/** A link of a page; `url` is absolute http(s) without fragment, but for a route, and unique within the page. */
export type PageLink = {
  url: string
  /** Visible text, one line, at most 200 characters. */
  text: string
  /** True when the link stands in the page's own text and not only in navigation. */
  inContent: boolean
}

/**
 * A stretch of the Markdown. Blocks are in order, do not overlap, and cover everything but blank lines.
 * Offsets are UTF-16 units into the Markdown. Fences and tables always start at the left margin, also inside lists,
 * so that a code block can be cut out exactly as its author wrote it.
 */
export type Block =
  | {
      kind: 'heading'
      start: number
      end: number
      level: number
      text: string
      anchor: string | null
      /** It is the declaration of what stands below it. */
      declares?: true
    }
  | ({
      kind: 'code'
      start: number
      end: number
      codeStart: number
      codeEnd: number
      language: string | null
    } & Resuming)
  | ({ kind: 'table' | 'list' | 'text'; start: number; end: number } & Resuming)

type Resuming = {
  /**
   * The level of the heading that the block stands under, where that is above the last one: definitions have headings,
   * and what comes after their list goes on with the section around it.
   */
  resumes?: number
}

export type ExtractedPage = {
  kind: 'page'
  title: string
  markdown: string
  blocks: Block[]
  /** ISO 639-1 as the page declares it, or null. */
  language: string | null
  /** Absolute address the page names as its own, or null. */
  canonical: string | null
  links: PageLink[]
  noindex: boolean
  nofollow: boolean
  /** No text without JavaScript: only a browser can tell what is on it. */
  empty: boolean
  generator: string | null
}

export type RejectReason =
  | 'not_html'
  | 'too_large'
  | 'too_complex'
  | 'decode'
  | 'no_text'
  | 'login_page'
  | 'soft_404'
  /** Nothing but links to other pages of the documentation. */
  | 'index_page'
  /** Source code that the documentation shows a listing of. */
  | 'source_view'

/** A document that gives no page. */
export type Rejected = {
  kind: 'rejected'
  reason: RejectReason
  /** A sentence for the person who looks at the report. */
  detail: string
  /** Links are still worth following when a page has no text of its own. */
  links: PageLink[]
}

export function reject(reason: RejectReason, detail: string, links: PageLink[] = []): Rejected {
  return { kind: 'rejected', reason, detail, links }
}
