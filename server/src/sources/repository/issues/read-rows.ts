import { z } from 'zod'
import type { NetClient, NetResponse } from '#net/client.ts'
import { parseBoundedJson } from '#lib/text/bounded-json.ts'
import { NetError } from '#net/net-error.ts'
import type { Comment, Issue, Release } from './discussion-documents.ts'

type DiscussionAnswer =
  | { kind: 'rows'; rows: unknown[]; etag: string | null }
  /** The list is unchanged since the response with that ETag. */
  | { kind: 'unchanged' }
  /** Ends the reading of one list early; `detail` is a sentence. */
  | { kind: 'problem'; reason: string; detail: string }

/** The reason for which a list was not read to its end. */
export type DiscussionProblem = Extract<DiscussionAnswer, { kind: 'problem' }>

/** The rows read from a list. */
export type DiscussionRows = {
  rows: unknown[]
  /** ETag and URL of the first page. */
  etag: string | null
  url: string
  /** True if the end of the list was reached. */
  isWhole: boolean
  problem: DiscussionProblem | null
}

/** Dependencies of reading lists. `now` is in milliseconds since 1970. */
export type DiscussionDeps = { fetch: NetClient['fetch']; host: DiscussionHost; limits: DiscussionLimits; now: number }

/** Cursor of one list of issues, releases or similar. */
export type ListCursor = z.infer<typeof ListCursorSchema>

/**
 * Reads at most `pages` pages of the list at `url`. Returns null if the first page is unchanged since the reading that
 * gave `known`, by a conditional request.
 */
export async function readRows(
  deps: Pick<DiscussionDeps, 'fetch' | 'host'>,
  { url, pages, known = null }: { url: string; pages: number; known?: Pick<ListCursor, 'url' | 'etag'> | null },
): Promise<DiscussionRows | null> {
  const first = pageAddress(deps.host, url, 1)
  const read: DiscussionRows = { rows: [], etag: null, url: first, isWhole: false, problem: null }
  for (let page = 1; page <= pages && !read.isWhole; page++) {
    const condition = page === 1 && known?.url === first ? known.etag : null
    const answer = await askForRows(deps, pageAddress(deps.host, url, page), condition)
    if (answer.kind === 'unchanged') return null
    if (answer.kind === 'problem') return { ...read, problem: answer }
    if (page === 1) read.etag = answer.etag
    for (const row of answer.rows) read.rows.push(row)
    read.isWhole = answer.rows.length < deps.host.paging.size
  }
  return read
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

function pageAddress({ paging }: DiscussionHost, url: string, page: number): string {
  return `${url}${url.includes('?') ? '&' : '?'}${paging.query.replace('{page}', String(page))}`
}

const ListCursorSchema = z.object({
  /** Time of the latest known change, in the host's format. */
  since: z.string().nullable(),
  /** ETag and URL of the first page. */
  etag: z.string().nullable(),
  url: z.string(),
  /** Time of the last full reading, in milliseconds since 1970. */
  fullAt: z.number(),
})

const ReadingCursorSchema = z.object({
  /** Version of the service and `TEXT_FORMAT`: another version may produce other documents from the same files. */
  by: z.string(),
  files: z
    .object({
      commit: z.string(),
      ref: z.string(),
      path: z.string(),
      /** URL prefixes of all documents from the files. */
      prefixes: z.array(z.string()),
    })
    .nullable(),
  talk: z.record(z.string(), ListCursorSchema),
})
/** State kept from one reading of a repository to the next. */
export type ReadingCursor = z.infer<typeof ReadingCursorSchema>

/** Parses the state of the last reading. Returns an empty one if another version wrote it. */
export function parseCursor(text: string | null, by: string): ReadingCursor {
  const nothing = { by, files: null, talk: {} }
  if (text === null) return nothing
  const { data } = ReadingCursorSchema.safeParse(JSON.parse(text))
  return data?.by === by ? data : nothing
}

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

/** Pages requested per list. */
export type DiscussionLimits = { releases: number; issues: number; comments: number }

/** GitHub's texts have at most 64 kB, and a list has 100. Parsed in this process by `parseBoundedJson`. */
const MAX_BYTES = 8 << 20

/** Requests one page of a list from a code host. A missing list is empty, because issues may be disabled. */
async function askForRows(
  { fetch, host }: { fetch: NetClient['fetch']; host: DiscussionHost },
  url: string,
  etag: string | null,
): Promise<DiscussionAnswer> {
  try {
    const headers = { ...host.headers, ...(etag === null ? {} : { 'if-none-match': etag }) }
    const response = await fetch(url, { headers, maxBytes: MAX_BYTES })
    if (response.status === 304) return { kind: 'unchanged' }
    if (response.status === 404 || response.status === 410) return { kind: 'rows', rows: [], etag: null }
    const problem = problemOf(host, response)
    if (problem) return problem
    const rows = parseRows(response.bytes)
    if (rows) return { kind: 'rows', rows, etag: response.headers['etag'] ?? null }
    return { kind: 'problem', reason: 'unreadable', detail: `${host.title} answered something that cannot be read.` }
  } catch (error) {
    if (!(error instanceof NetError) || error.reason === 'aborted') throw error
    return { kind: 'problem', reason: 'unreachable', detail: error.message }
  }
}

/** See https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api; other hosts behave alike. */
function problemOf({ title, advice }: DiscussionHost, { status, headers }: NetResponse): DiscussionAnswer | null {
  if (status === 200) return null
  const isSpent = status === 429 || headers['x-ratelimit-remaining'] === '0' || headers['retry-after'] !== undefined
  if (isSpent) {
    const kept = 'What was read before is kept, and the next refresh tries again'
    return {
      kind: 'problem',
      reason: 'rate_limited',
      detail: `${title} has been asked too often for now. ${kept}${advice}.`,
    }
  }
  const reason = status === 401 || status === 403 ? 'forbidden' : 'http_error'
  return { kind: 'problem', reason, detail: `${title} answered ${status}.` }
}

/** Returns the rows of a plain list, or of a page in Bitbucket's envelope. */
function parseRows(bytes: Uint8Array): unknown[] | null {
  try {
    const value: unknown = parseBoundedJson(bytes)
    if (Array.isArray(value)) return value
    const rows = typeof value === 'object' && value !== null && 'values' in value ? value.values : null
    return Array.isArray(rows) ? rows : null
  } catch {
    // Invalid or oversized JSON: the caller reports an unreadable response.
    return null
  }
}
