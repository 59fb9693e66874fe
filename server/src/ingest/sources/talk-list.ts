import type { z } from 'zod'
import type { Comment, Issue, Release } from './talk-documents.ts'

/** One list of what people say about a repository, as its host gives it away. */
export type TalkList = {
  /** Tells it from the other lists of the repository. */
  name: string
  /** Where people look at the list. */
  site: string
  /** What the addresses of its entries begin with. */
  prefixes: string[]
  /** Its address without paging, the latest change first; where the host can, only what has changed since then. */
  url: (since: string | null) => string
  /** How a row is read. Null for one that is none of our business. */
  rows: { kind: 'release'; schema: z.ZodType<Release | null> } | { kind: 'issue'; schema: z.ZodType<Issue | null> }
  /** What was said about its entries: of one, and where the host can of all at once. */
  comments?: {
    schema: z.ZodType<(Comment & { of: number | null }) | null>
    of: (issue: Issue) => string
    all?: string
  }
}

/** A host's way of giving away such lists. */
export type TalkHost = {
  title: string
  lists: TalkList[]
  headers: Record<string, string>
  /** What the pages of a list are asked with, `{page}` standing for their number from 1, and how many rows they have. */
  paging: { query: string; size: number }
  /** What more there is to know in a sentence when it has been asked too often. */
  advice: string
}
