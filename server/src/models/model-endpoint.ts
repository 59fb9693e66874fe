import { setTimeout as sleep } from 'node:timers/promises'
import type { NetClient, NetResponse } from '#net/client.ts'
import { NetError } from '#net/net-error.ts'
import { readRetryAfter } from '#net/host-pace.ts'
import { ModelError } from './chat-model.ts'

/** API endpoint of a provider's model, configured by the operator. */
export type ModelEndpoint = {
  /** Client for this endpoint only. It may reach private networks, because the operator chose the URL. */
  net: NetClient
  /** Base URL of the provider's API, without a trailing slash. */
  baseUrl: string
  /** Null for local models that need no key. */
  apiKey: string | null
  model: string
}

type Post = {
  path: string
  headers: Record<string, string>
  body: unknown
  onData?: (piece: Uint8Array) => void
  totalMs: number
  signal?: AbortSignal | undefined
}

/** An answer has several thousand characters, each in a separate event. A batch of embeddings has several MB. */
const MAX_BYTES = 32 * 1024 * 1024
/** Maximum characters of a provider's error message in ours. */
const MOST_COMPLAINT = 300

/** Posts to a provider. Does not follow redirects, which would forward the key. Throws `ModelError`. */
export async function postToModel(endpoint: ModelEndpoint, post: Post): Promise<NetResponse> {
  const { net, baseUrl } = endpoint
  const { path, headers, body, onData, totalMs, signal } = post
  let answer: NetResponse
  try {
    answer = await net.fetch(baseUrl + path, {
      json: body,
      headers: { ...headers, ...(onData ? { 'accept-encoding': 'identity' } : {}) },
      acceptRedirect: () => false,
      maxBytes: MAX_BYTES,
      totalMs,
      // Some providers send blanks while the model thinks.
      slowAfterMs: Number.POSITIVE_INFINITY,
      signal,
      ...(onData ? { onData } : {}),
    })
  } catch (error) {
    if (error instanceof ModelError) throw error
    throw fromNetError(error)
  }
  if (answer.status >= 200 && answer.status < 300) return answer
  throw fromStatus(endpoint, answer)
}

function fromNetError(error: unknown): ModelError {
  if (!(error instanceof NetError)) throw error
  const { reason, message } = error
  if (reason === 'aborted') return new ModelError('aborted', 'The question was cancelled.', { cause: error })
  if (reason === 'timeout') return new ModelError('timeout', `The model did not answer in time. ${message}`)
  if (reason === 'protocol' || reason === 'too_large' || reason === 'decode') {
    return new ModelError('cut_off', `The model's answer broke off. ${message}`)
  }
  return new ModelError('unavailable', `The model cannot be reached. ${message}`)
}

function fromStatus({ apiKey }: ModelEndpoint, { status, headers, bytes }: NetResponse): ModelError {
  const complaint = new TextDecoder().decode(bytes.subarray(0, 4_000)).replaceAll(/\s+/g, ' ')
  // Some providers echo the key.
  const safe = withoutKey(complaint, apiKey).slice(0, MOST_COMPLAINT)
  const message = `The model's provider answered ${status}: ${safe}`
  const isBusy = status === 429 || status === 503 || status === 529
  const retryAfterMs = readRetryAfter(headers['retry-after'], Date.now())
  if (isBusy) return new ModelError('busy', message, { status, retryAfterMs })
  return new ModelError(status >= 500 ? 'unavailable' : 'refused', message, { status })
}

function withoutKey(text: string, apiKey: string | null): string {
  const whole = apiKey ? text.replaceAll(apiKey, '[key]') : text
  return whole.replaceAll(/\b(?:sk|key|pk)-[\w*.-]{6,}|Bearer\s+\S+/gi, '[key]')
}

/** Delay before the retry, unless the provider requests another. */
const PAUSE_MS = 500
/** With less time left, a retry is not worth its cost. */
const LEAST_MS = 500

type Limits = {
  /** Milliseconds for both attempts and the delay between them. */
  totalMs: number
  signal?: AbortSignal | undefined
}

/** Retries a transient failure once, if time is left after the requested delay. `attempt` gets the remaining time. */
export async function withRetry<T>({ totalMs, signal }: Limits, attempt: (leftMs: number) => Promise<T>): Promise<T> {
  const started = performance.now()
  const left = () => totalMs - (performance.now() - started)
  try {
    return await attempt(totalMs)
  } catch (error) {
    if (!(error instanceof ModelError) || !error.mayPass) throw error
    const pause = error.retryAfterMs ?? PAUSE_MS
    if (left() - pause < LEAST_MS) throw error
    await sleep(pause, undefined, signal ? { signal } : {}).catch((cause: unknown) => {
      throw new ModelError('aborted', 'The question was cancelled.', { cause })
    })
    return await attempt(left())
  }
}
