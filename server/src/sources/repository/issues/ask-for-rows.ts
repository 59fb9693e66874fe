import { parseBoundedJson } from '#lib/text/parse-bounded-json.ts'
import type { NetClient, NetResponse } from '#net/client.ts'
import { NetError } from '#net/net-error.ts'
import type { DiscussionHost } from './discussion-list.ts'

export type DiscussionAnswer =
  | { kind: 'rows'; rows: unknown[]; etag: string | null }
  /** The list is unchanged since the response with that ETag. */
  | { kind: 'unchanged' }
  /** Ends the reading of one list early; `detail` is a sentence. */
  | { kind: 'problem'; reason: string; detail: string }

/** GitHub's texts have at most 64 kB, and a list has 100. Parsed in this process by `parseBoundedJson`. */
const MAX_BYTES = 8 << 20

/** Requests one page of a list from a code host. A missing list is empty, because issues may be disabled. */
export async function askForRows(
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
