import { type Killed, killSentence } from '#processes/kill-reason.ts'

/** Why a page was skipped deliberately, beside the extractor's own reasons. */
export type SkipReason =
  | 'robots'
  | 'redirect'
  | 'noindex'
  | 'duplicate'
  | 'out_of_scope'
  | 'needs_javascript'
  | 'page_limit'
  | 'byte_limit'
  | 'time_limit'
  | 'text_limit'
  | 'no_new_pages'

/** Why a page could not be fetched or read. */
export type FailReason =
  | 'not_found'
  | 'forbidden'
  | 'rate_limited'
  | 'server_error'
  | 'http_error'
  | 'unreachable'
  | 'timeout'
  | 'too_large'
  | 'unreadable'
  | 'too_slow_to_read'

/** Classifies an HTTP status; null if the response can be read. */
export function failureOfStatus(status: number): { reason: FailReason; detail: string; transient: boolean } | null {
  if (status === 404 || status === 410) {
    return { reason: 'not_found', detail: `The site answered ${status}: there is no such page.`, transient: false }
  }
  if (status === 401 || status === 403) {
    const detail = `The site answered ${status}: the page is not open to everybody.`
    return { reason: 'forbidden', detail, transient: false }
  }
  if (status === 429)
    return { reason: 'rate_limited', detail: 'The site answered 429: too many requests.', transient: true }
  if (status >= 500) return { reason: 'server_error', detail: `The site answered ${status}.`, transient: true }
  if (status < 200 || status >= 300)
    return { reason: 'http_error', detail: `The site answered ${status}.`, transient: false }
  return null
}

/** Classifies a document that was not read: the reason and the sentence for the report. */
export function reasonOfKill(
  killed: Omit<Killed, 'kind'>,
  what = 'Reading the page',
): { reason: FailReason; detail: string } {
  const isTooMuch = killed.reason === 'timeout' || killed.reason === 'memory'
  return { reason: isTooMuch ? 'too_slow_to_read' : 'unreadable', detail: killSentence(what, killed) }
}
