import { setTimeout as sleep } from 'node:timers/promises'
import { isOfTextFormat } from '#readers/text-hash.ts'
import { TooEarly } from '#jobs/lease.ts'
import type { NetClient, NetResponse } from '#net/client.ts'
import { askedPause } from '#net/fetch-as-asked.ts'
import { NetError } from '#net/net-error.ts'
import type { Pacer } from '#net/pacing.ts'
import type { PageToGo } from '#store/pages/pages.ts'
import { RETRY_AFTER_MS, type AdaptiveTimeouts, sendInTurn } from './pace-requests.ts'
import { type FailReason, failureOfStatus } from './crawl-budget.ts'
import type { SiteDates } from './site-dates.ts'

export type FetchDeps = {
  net: NetClient
  pacer: Pacer
  timeouts: AdaptiveTimeouts
  signal: AbortSignal
  slice?: Slice | undefined
  dates?: Pick<SiteDates, 'isAnew'>
}

export type Slice = {
  /** Aborts when no further request may start, at the end of a slice or of the crawl. */
  mayBegin: AbortSignal
  /** Failed tries of unsettled pages, from this slice and earlier ones. */
  tries: Map<string, number>
}

export type Fetched =
  | { kind: 'answer'; response: NetResponse }
  | { kind: 'not_modified'; headers: NetResponse['headers'] }
  | { kind: 'redirect'; to: string }
  | { kind: 'failed'; reason: FailReason; detail: string; transient: boolean }

/** A placeholder for files that describe pages but are not pages. */
export function unknownPage(url: string): PageToGo {
  return {
    id: 0,
    url,
    depth: 0,
    state: 'queued',
    textHash: null,
    etag: null,
    lastModified: null,
    siteDate: null,
    freshUntil: null,
    misses: 0,
  }
}

/** Fetches one page, with validators and retries. Throws `TooEarly` if the slice ends before a request starts. */
export async function fetchPage(deps: FetchDeps, page: PageToGo): Promise<Fetched> {
  const { timeouts, slice } = deps
  for (let tries = slice?.tries.get(page.url) ?? 0; ; tries++) {
    slice?.tries.set(page.url, tries)
    const { fetched, tookMs, pause } = await tryOnce(deps, page)
    if (pause !== null && !isHopeless(deps, page) && timeouts.mayAskAgain()) {
      // The next turn comes after the pause, and the refusal does not count.
      tries--
      continue
    }
    const wait = RETRY_AFTER_MS[tries]
    if (!isTransient(fetched) || wait === undefined || !timeouts.isWorthAnother(tookMs)) return fetched
    if (isHopeless(deps, page)) return fetched
    await sleep(wait, undefined, { signal: deps.signal })
  }
}

/** True if a site that has delivered few pages asks for a long pause. */
function isHopeless({ pacer, timeouts }: Pick<FetchDeps, 'pacer' | 'timeouts'>, { url }: PageToGo): boolean {
  return !timeouts.shouldKeepWaiting() && pacer.isRefusing(new URL(url).host)
}

async function tryOnce({ net, pacer, timeouts, signal, slice, dates }: FetchDeps, page: PageToGo) {
  const release = await waitForTurn({ pacer, signal, slice }, new URL(page.url).host)
  // Do not follow redirects: the target is a page itself, and is fetched only once.
  const request = {
    headers: conditions(page, dates?.isAnew),
    acceptRedirect: () => false,
    signal,
    ...timeouts.limits(),
  }
  const sent = await sendInTurn(net, page.url, request, release)
  if ('error' in sent) signal.throwIfAborted()
  const fetched = 'response' in sent ? judge(page, sent.response) : failureOf(sent.error)
  timeouts.note(sent.elapsedMs, 'error' in sent ? 'nothing' : isTransient(fetched) ? 'refusal' : 'page')
  return { fetched, tookMs: sent.elapsedMs, pause: 'response' in sent ? askedPause(sent.response) : null }
}

async function waitForTurn({ pacer, signal, slice }: Pick<FetchDeps, 'pacer' | 'signal' | 'slice'>, host: string) {
  try {
    return await pacer.acquire(host, slice?.mayBegin ?? signal)
  } catch (error) {
    signal.throwIfAborted()
    if (slice?.mayBegin.aborted) throw new TooEarly(0)
    throw error
  }
}

function isTransient(fetched: Fetched): boolean {
  return fetched.kind === 'failed' && fetched.transient
}

const ISO_DATE = /^\d{4}-/

/** Sends no validators for pages that are not indexed, were indexed in an older text format, or are to be read anew. */
function conditions({ state, textHash, etag, lastModified }: PageToGo, isAnew = false): Record<string, string> {
  const headers: Record<string, string> = {
    accept: 'text/html, application/xhtml+xml, text/markdown, text/plain;q=0.9, */*;q=0.1',
  }
  if (isAnew || state !== 'indexed' || !isOfTextFormat(textHash)) return headers
  if (etag) headers['if-none-match'] = etag
  // Imported pages have their date in another form. Their texts can be anybody's, so that they are read whole.
  if (lastModified && !ISO_DATE.test(lastModified)) headers['if-modified-since'] = lastModified
  return headers
}

function judge(page: PageToGo, response: NetResponse): Fetched {
  if (response.status === 304) return { kind: 'not_modified', headers: response.headers }
  const location = response.headers['location']
  if (response.status >= 300 && response.status < 400 && location) {
    const to = URL.parse(location, page.url)
    if (to) return { kind: 'redirect', to: to.href }
  }
  const failure = failureOfStatus(response.status)
  return failure ? { kind: 'failed', ...failure } : { kind: 'answer', response }
}

function failureOf(error: unknown): Fetched {
  if (!(error instanceof NetError)) throw error
  const { reason, message, transient } = error
  const reasons: Partial<Record<NetError['reason'], FailReason>> = {
    timeout: 'timeout',
    too_large: 'too_large',
    decode: 'unreadable',
    protocol: 'unreadable',
  }
  const advice = reason === 'too_large' && !transient ? ' Divide it into smaller pages.' : ''
  return { kind: 'failed', reason: reasons[reason] ?? 'unreachable', detail: message + advice, transient }
}

/** Remembered URLs. Long lists of old URLs redirect to a few new ones, or to as many. */
const REMEMBERED = 10_000

/** Tracks the redirect targets of a crawl. */
export function createRedirectTargets() {
  const seen = new Set<string>()
  return {
    /** Returns whether this target is new. Call it once per redirect. */
    isNew(url: string): boolean {
      if (seen.has(url)) return false
      if (seen.size >= REMEMBERED) seen.clear()
      seen.add(url)
      return true
    },
  }
}

export type RedirectTargets = ReturnType<typeof createRedirectTargets>
