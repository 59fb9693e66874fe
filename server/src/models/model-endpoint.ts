import type { NetClient, NetResponse } from '#net/client.ts'
import { NetError } from '#net/net-error.ts'
import { readRetryAfter } from '#net/retry-after.ts'
import { ModelError } from './model-error.ts'

/** Where a provider's model answers, as the operator has set it. */
export type ModelEndpoint = {
  /**
   * The way out. The address is the operator's own, so this client may reach private networks too: a model often runs
   * next to the service. It must be used for nothing else.
   */
  net: NetClient
  /** Of the provider's interface, without a trailing slash. */
  baseUrl: string
  /** Local models need none. */
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

/** An answer of a model is some thousand characters, each in an event of its own, and a batch of embeddings some MB. */
const MAX_BYTES = 32 * 1024 * 1024
/** What is told of a provider's complaint. */
const MOST_COMPLAINT = 300

/**
 * Posts to a provider and returns its successful answer. Redirects are not followed, since the key must go nowhere else.
 * Throws `ModelError`.
 */
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
      // Some send blanks while they think.
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
  // Some providers repeat what they were sent.
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
