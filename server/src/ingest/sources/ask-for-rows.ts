import { parseBoundedJson } from '#lib/parse-bounded-json.ts'
import type { NetClient, NetResponse } from '#net/client.ts'
import { NetError } from '#net/net-error.ts'
import type { TalkHost } from './talk-list.ts'

export type TalkAnswer =
  | { kind: 'rows'; rows: unknown[]; etag: string | null }
  /** Nothing has changed since the answer with that entity tag. */
  | { kind: 'unchanged' }
  /** Ends the reading of one list early, in a sentence. */
  | { kind: 'problem'; reason: string; detail: string }

/** GitHub's texts have 64 kB at most, and a list 100 of them. Parsed in this process, with `parseBoundedJson`. */
const MAX_BYTES = 8 << 20

/** Asks a code host for one page of a list. A list that it does not have is empty: issues may be switched off. */
export async function askForRows(
  { fetch, host }: { fetch: NetClient['fetch']; host: TalkHost },
  url: string,
  etag: string | null,
): Promise<TalkAnswer> {
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

/** https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api; the others say it alike. */
function problemOf({ title, advice }: TalkHost, { status, headers }: NetResponse): TalkAnswer | null {
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

/** A list, or a page of one as Bitbucket wraps it. */
function parseRows(bytes: Uint8Array): unknown[] | null {
  try {
    const value: unknown = parseBoundedJson(bytes)
    if (Array.isArray(value)) return value
    const rows = typeof value === 'object' && value !== null && 'values' in value ? value.values : null
    return Array.isArray(rows) ? rows : null
  } catch {
    // No JSON, or too much of it: the caller says that the answer cannot be read.
    return null
  }
}
