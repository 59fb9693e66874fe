import type { z } from 'zod'
import type { NetClient } from '#net/client.ts'
import type { Comment, Issue, Release } from './discussion-documents.ts'

/** One list of issues, pull requests or releases of a repository. */
export type DiscussionList = {
  /** Unique within the repository. */
  name: string
  /** Web URL of the list. */
  site: string
  /** URL prefixes of its entries. */
  prefixes: string[]
  /** API URL without paging, latest change first; if the host supports it, only changes since the given time. */
  url: (since: string | null) => string
  /** Row parser. Null for rows to ignore. */
  rows: { kind: 'release'; schema: z.ZodType<Release | null> } | { kind: 'issue'; schema: z.ZodType<Issue | null> }
  /** Comments on its entries: `of` one, and if the host supports it `all` at once. */
  comments?: {
    schema: z.ZodType<(Comment & { of: number | null }) | null>
    of: (issue: Issue) => string
    all?: string
  }
}

/** The lists of a host, and its request conventions. */
export type DiscussionHost = {
  title: string
  lists: DiscussionList[]
  headers: Record<string, string>
  /** Paging query, in which `{page}` is the page number from 1, and rows per page. */
  paging: { query: string; size: number }
  /** Added to the message about an exhausted rate limit. */
  advice: string
}

/** Pages requested per list. */
export type DiscussionLimits = { releases: number; issues: number; comments: number }

/** Dependencies of reading lists. `now` is in milliseconds since 1970. */
export type DiscussionDeps = { fetch: NetClient['fetch']; host: DiscussionHost; limits: DiscussionLimits; now: number }
