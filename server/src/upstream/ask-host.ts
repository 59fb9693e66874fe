import { parseBoundedJson } from '#lib/text/parse-bounded-json.ts'
import type { z } from 'zod'
import type { NetClient, NetResponse } from '#net/client.ts'
import { NetError } from '#net/net-error.ts'
import { UpstreamError } from './upstream-error.ts'

export type Asking = {
  net: NetClient
  /** Display name of the host. */
  title: string
  headers: Record<string, string>
  /** JSON body, sent by POST. */
  json?: unknown
}

/** A user waits for these responses. */
const TOTAL_MS = 10_000
/** Parsed in this process, within the value limit of `parseBoundedJson`. */
const MAX_BYTES = 1024 * 1024

/** Requests a code host's API and parses the response. Throws `UpstreamError`. */
export async function askCodeHost<T>(asking: Asking, url: string, schema: z.ZodType<T>): Promise<T> {
  const response = await fetchFromHost(asking, url)
  const failure = failureOf(asking.title, response)
  if (failure) throw failure
  return readAnswer(asking.title, response, schema)
}

/** The same, for callers that interpret the status. */
export async function fetchFromHost({ net, title, headers, json }: Asking, url: string): Promise<NetResponse> {
  try {
    const request = { headers, totalMs: TOTAL_MS, maxBytes: MAX_BYTES }
    return await net.fetch(url, json === undefined ? request : { ...request, json, maxRedirects: 0 })
  } catch (cause) {
    if (!(cause instanceof NetError)) throw cause
    throw new UpstreamError('failed', `${title} could not be asked. ${cause.message}`, { cause })
  }
}

export function readAnswer<T>(title: string, { bytes }: NetResponse, schema: z.ZodType<T>): T {
  try {
    return schema.parse(parseBoundedJson(bytes))
  } catch (cause) {
    throw new UpstreamError('failed', `${title} answered something that cannot be read.`, { cause })
  }
}

/** https://docs.github.com/rest/using-the-rest-api/troubleshooting-the-rest-api. The other hosts behave similarly. */
export function failureOf(title: string, { status, headers }: NetResponse): UpstreamError | null {
  if (status === 200) return null
  if (status === 404 || status === 451) return new UpstreamError('absent', `${title} knows of no such thing.`)
  if (status === 401) return new UpstreamError('refused', `${title} refused the token.`)
  const isSpent = headers['x-ratelimit-remaining'] === '0' || headers['retry-after'] !== undefined || status === 429
  if (isSpent) {
    return new UpstreamError(
      'failed',
      `${title} has been asked too often for now. Try again ${whenOf(headers)}, or link an account.`,
    )
  }
  if (status === 403) return new UpstreamError('refused', `${title} does not let this token read that.`)
  return new UpstreamError('failed', `${title} answered ${status}.`)
}

/** Waits of more than a day are ignored. */
const MOST_SECONDS = 86_400

/** When the host accepts requests again: seconds in `Retry-After`, or a Unix time in `X-RateLimit-Reset`. */
function whenOf(headers: NetResponse['headers']): string {
  const reset = Number(headers['x-ratelimit-reset'] ?? Number.NaN)
  const seconds = Number(headers['retry-after'] ?? reset - Date.now() / 1_000)
  if (!(seconds > 0 && seconds <= MOST_SECONDS)) return 'later'
  const minutes = Math.ceil(seconds / 60)
  return minutes === 1 ? 'in a minute' : `in ${minutes} minutes`
}
