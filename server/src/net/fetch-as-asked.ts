import { setTimeout as sleep } from 'node:timers/promises'
import type { NetClient, NetRequest, NetResponse } from './client.ts'
import { readRetryAfter } from './host-pace.ts'

/** Pauses of one request that are waited for, and the longest in milliseconds: a crawl cannot begin without it. */
const MOST_PAUSES = 5
const LONGEST_MS = 60_000

/** Milliseconds for which a refusal (429, 503) asks to wait with `Retry-After`. Null for other responses. */
export function askedPause({ status, headers }: Pick<NetResponse, 'status' | 'headers'>): number | null {
  return status === 429 || status === 503 ? readRetryAfter(headers['retry-after'], Date.now()) : null
}

/** Fetches a URL, again after each pause that its host asks for. Returns the last refusal if there are too many. */
export async function fetchAsAsked(
  { fetch }: Pick<NetClient, 'fetch'>,
  url: string,
  request: NetRequest,
): Promise<NetResponse> {
  for (let pauses = 0; ; pauses++) {
    const response = await fetch(url, request)
    const pause = askedPause(response)
    if (pause === null || pause > LONGEST_MS || pauses >= MOST_PAUSES) return response
    response.release?.()
    await sleep(pause, undefined, { signal: request.signal })
  }
}
