import { z } from 'zod'
import type { NetClient, NetResponse } from '#net/client.ts'
import { NetError } from '#net/net-error.ts'
import { type CodeHost, type OpenRepository, parseAnswer } from '#sources/repository/open-repository.ts'

/** The reason for which a list was not read to its end; `detail` is a sentence. */
export type DiscussionProblem = { kind: 'problem'; reason: string; detail: string }

/** One page of a list, unless it is unchanged since the response with that ETag. */
type DiscussionAnswer =
  | { kind: 'rows'; rows: unknown[]; etag: string | null }
  | { kind: 'unchanged' }
  | DiscussionProblem

/** Pages requested per list. */
export type DiscussionLimits = { releases: number; issues: number; comments: number }

export type DiscussionDeps = {
  fetch: NetClient['fetch']
  repository: Pick<OpenRepository, 'host' | 'name'>
  headers: Readonly<Record<string, string>>
  limits: DiscussionLimits
  /** Milliseconds since 1970. */
  now: number
}

/**
 * Reads at most `pages` pages of a list. Returns null if the first is unchanged since `known`. `etag` and `url` are those
 * of the first page; `isWhole` is set if the end was reached.
 */
export async function readRows(
  deps: DiscussionDeps,
  { url, pages, known = null }: { url: string; pages: number; known?: Pick<ListCursor, 'url' | 'etag'> | null },
) {
  const { page: paging, pageRows } = deps.repository.host
  const address = (page: number) => `${url}${url.includes('?') ? '&' : '?'}${paging.replace('{page}', String(page))}`
  const first = address(1)
  const rows: unknown[] = []
  let etag: string | null = null
  for (let page = 1; page <= pages; page++) {
    const condition = page === 1 && known?.url === first ? known.etag : null
    const answer = await askForRows(deps, address(page), condition)
    if (answer.kind === 'unchanged') return null
    if (answer.kind === 'problem') return { rows, etag, url: first, isWhole: false, problem: answer }
    if (page === 1) etag = answer.etag
    for (const row of answer.rows) rows.push(row)
    if (answer.rows.length < pageRows) return { rows, etag, url: first, isWhole: true, problem: null }
  }
  return { rows, etag, url: first, isWhole: false, problem: null }
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

/** Cursor of one list of issues, releases or similar. */
export type ListCursor = z.infer<typeof ListCursorSchema>

const FilesCursorSchema = z
  .object({
    commit: z.string(),
    ref: z.string(),
    path: z.string(),
    /** URL prefixes of all documents from the files. */
    prefixes: z.array(z.string()),
  })
  .nullable()

const ReadingCursorSchema = z.object({
  /** Version of the service and `TEXT_FORMAT`: another version may produce other documents from the same files. */
  by: z.string(),
  files: FilesCursorSchema,
  /** By the name of a further version. */
  versions: z.record(z.string(), FilesCursorSchema).default({}),
  talk: z.record(z.string(), ListCursorSchema),
})
/** State kept from one reading of a repository to the next. */
export type ReadingCursor = z.infer<typeof ReadingCursorSchema>

/** Parses the state of the last reading. Returns an empty one if another version wrote it. */
export function parseCursor(text: string | null, by: string): ReadingCursor {
  const { data } = ReadingCursorSchema.safeParse(JSON.parse(text ?? 'null'))
  return data?.by === by ? data : { by, files: null, versions: {}, talk: {} }
}

/** The rows of a plain list, or of a page in Bitbucket's envelope. */
const RowsSchema = z.union([
  z.array(z.unknown()),
  z.object({ values: z.array(z.unknown()) }).transform(({ values }) => values),
])

/** GitHub's texts have at most 64 kB, and a list has 100. Parsed in this process by `parseBoundedJson`. */
const MAX_BYTES = 8 << 20

/** Requests one page of a list from a code host. A missing list is empty, because issues may be disabled. */
async function askForRows(
  { fetch, repository: { host }, headers: credentials }: DiscussionDeps,
  url: string,
  etag: string | null,
): Promise<DiscussionAnswer> {
  try {
    const headers = { ...host.headers, ...credentials, ...(etag === null ? {} : { 'if-none-match': etag }) }
    const response = await fetch(url, { headers, maxBytes: MAX_BYTES })
    if (response.status === 304) return { kind: 'unchanged' }
    if (response.status === 404 || response.status === 410) return { kind: 'rows', rows: [], etag: null }
    const problem = problemOf(host, response)
    if (problem) return problem
    const rows = parseAnswer(response.bytes, RowsSchema)
    if (rows) return { kind: 'rows', rows, etag: response.headers['etag'] ?? null }
    return { kind: 'problem', reason: 'unreadable', detail: `${host.title} answered something that cannot be read.` }
  } catch (error) {
    if (!(error instanceof NetError) || error.reason === 'aborted') throw error
    return { kind: 'problem', reason: 'unreachable', detail: error.message }
  }
}

/** See https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api; other hosts behave alike. */
function problemOf({ title, advice = '' }: CodeHost, { status, headers }: NetResponse): DiscussionProblem | null {
  if (status === 200) return null
  const isSpent = status === 429 || headers['x-ratelimit-remaining'] === '0' || headers['retry-after'] !== undefined
  if (isSpent) {
    const kept = `What was read before is kept, and the next refresh tries again${advice}.`
    return { kind: 'problem', reason: 'rate_limited', detail: `${title} has been asked too often for now. ${kept}` }
  }
  const reason = status === 401 || status === 403 ? 'forbidden' : 'http_error'
  return { kind: 'problem', reason, detail: `${title} answered ${status}.` }
}
