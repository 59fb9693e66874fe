import { setTimeout as sleep } from 'node:timers/promises'
import type { NetClient, NetResponse } from '#net/client.ts'
import { NetError } from '#net/net-error.ts'
import type { Pacer } from '#net/pacing.ts'
import type { PageToGo } from '#store/pages.ts'
import type { Patience } from './patience.ts'
import { type FailReason, failureOfStatus } from './reasons.ts'

type Deps = { net: NetClient; pacer: Pacer; patience: Patience; signal: AbortSignal }

export type Fetched =
  | { kind: 'answer'; response: NetResponse }
  /** The text is the one that is stored. */
  | { kind: 'not_modified' }
  | { kind: 'redirect'; to: string }
  | { kind: 'failed'; reason: FailReason; detail: string; transient: boolean }

type Try = { fetched: Fetched; tookMs: number }

/** Waits before the second and the third try of a page whose failure may pass. */
const RETRY_AFTER_MS = [500, 3_000]

/** Something that is fetched for what it says of pages, and is none itself. */
export function unknownPage(url: string): PageToGo {
  return { id: 0, url, depth: 0, state: 'queued', textHash: null, etag: null, lastModified: null, misses: 0 }
}

/** Fetches one page at its host's pace, on conditions where it is known; tries again what may pass. */
export async function fetchPage(deps: Deps, page: PageToGo): Promise<Fetched> {
  for (let tries = 0; ; tries++) {
    const { fetched, tookMs } = await tryOnce(deps, page)
    const wait = RETRY_AFTER_MS[tries]
    if (fetched.kind !== 'failed' || !fetched.transient || wait === undefined) return fetched
    if (!deps.patience.isWorthAnother(tookMs) || deps.pacer.isRefusing(new URL(page.url).host)) return fetched
    await sleep(wait, undefined, { signal: deps.signal })
  }
}

async function tryOnce({ net, pacer, patience, signal }: Deps, page: PageToGo): Promise<Try> {
  const release = await pacer.acquire(new URL(page.url).host, signal)
  const started = performance.now()
  let status: number | null = null
  const took = () => performance.now() - started
  let retryAfter: string | undefined
  try {
    // Redirects are not followed here: where they lead is a page of its own, fetched once however many lead there.
    const headers = conditions(page)
    const response = await net.fetch(page.url, {
      headers,
      acceptRedirect: () => false,
      signal,
      ...patience.limits(),
    })
    status = response.status
    retryAfter = response.headers['retry-after']
    return { fetched: judge(page, response), tookMs: took() }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof NetError) return { fetched: failureOf(error), tookMs: took() }
    throw error
  } finally {
    patience.note(took(), status !== null)
    release({ status, elapsedMs: took(), retryAfter })
  }
}

/** A page that is not searchable now is fetched without conditions, whatever was known of it. */
function conditions({ state, etag, lastModified }: PageToGo): Record<string, string> {
  const headers: Record<string, string> = {
    accept: 'text/html, application/xhtml+xml, text/markdown, text/plain;q=0.9, */*;q=0.1',
  }
  if (state !== 'indexed') return headers
  if (etag) headers['if-none-match'] = etag
  if (lastModified) headers['if-modified-since'] = lastModified
  return headers
}

function judge(page: PageToGo, response: NetResponse): Fetched {
  if (response.status === 304) return { kind: 'not_modified' }
  const location = response.headers['location']
  if (response.status >= 300 && response.status < 400 && location) {
    const to = URL.parse(location, page.url)
    if (to) return { kind: 'redirect', to: to.href }
  }
  const failure = failureOfStatus(response.status)
  return failure ? { kind: 'failed', ...failure } : { kind: 'answer', response }
}

function failureOf({ reason, message, transient }: NetError): Fetched {
  const reasons: Partial<Record<NetError['reason'], FailReason>> = {
    timeout: 'timeout',
    too_large: 'too_large',
    decode: 'unreadable',
    protocol: 'unreadable',
  }
  return { kind: 'failed', reason: reasons[reason] ?? 'unreachable', detail: message, transient }
}
