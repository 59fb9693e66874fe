import { RECEIVER_TIMEOUT_MS } from '@docent/contract/operations/webhooks'
import type { NetClient } from '#net/client.ts'
import { NetError } from '#net/net-error.ts'
import { readRetryAfter } from '#net/host-pace.ts'
import { signedHeaders } from './sign.ts'

/** The result of one attempt. `error` is null for a success. */
export type Attempt = {
  status: number | null
  error: string | null
  durationMs: number
  /** Wait that the receiver asks for. */
  retryAfterMs: number | null
}

type Message = { id: string; url: string; body: string; secrets: readonly string[]; now: number }

/** Most of an answer that is read. Its content is ignored. */
const MAX_ANSWER_BYTES = 64 * 1024

/** Sends a signed event once. Redirects are not followed, so that no other host gets it. Rejects only when aborted. */
export async function send(net: NetClient, message: Message, signal: AbortSignal): Promise<Attempt> {
  const { id, url, body, secrets, now } = message
  const started = performance.now()
  const elapsed = () => Math.round(performance.now() - started)
  try {
    const { status, headers, release } = await net.fetch(url, {
      headers: signedHeaders(secrets, { id, body, now }),
      body: { type: 'application/json', text: body },
      totalMs: RECEIVER_TIMEOUT_MS,
      maxBytes: MAX_ANSWER_BYTES,
      acceptRedirect: () => false,
      signal,
    })
    release?.()
    const retryAfterMs = readRetryAfter(headers['retry-after'], now)
    return { status, error: problemOf(status), durationMs: elapsed(), retryAfterMs }
  } catch (error) {
    if (!(error instanceof NetError) || signal.aborted) throw error
    const why = error.reason === 'timeout' ? TOO_SLOW : error.message
    return { status: null, error: why, durationMs: elapsed(), retryAfterMs: null }
  }
}

const TOO_SLOW = `The receiver did not answer within ${RECEIVER_TIMEOUT_MS / 1000} seconds. Answer first, then do the work.`

function problemOf(status: number): string | null {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) {
    return `The receiver answered ${status}, a redirect. Redirects are not followed: change the address of the webhook.`
  }
  if (status === 410) return 'The receiver answered 410: it wants no more events.'
  return `The receiver answered ${status}. It has to answer with a status from 200 to 299.`
}
