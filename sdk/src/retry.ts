import type { DocentApiError } from './error.ts'

export type RetryOptions = {
  /** Repetitions of a request after its first attempt. Default 2; 0 for none. */
  retries?: number
  /** Longest wait in milliseconds before a repetition. A refusal that asks for more is not retried. Default 60,000. */
  maxWaitMs?: number
}

/** Waits before the first repetition, unless the service says how long; doubled for each further one. */
const FIRST_WAIT_MS = 500

/** Statuses of proxies in front of a service that restarts. */
const PASSING = [502, 503, 504]

/**
 * Milliseconds to wait before a repetition, or null if the refusal is final. A request that is not `repeatable` may have
 * been carried out, unless it was refused by a rate limit.
 */
export function waitBefore(
  { status, retryAfter }: Pick<DocentApiError, 'status' | 'retryAfter'>,
  { repeatable, attempt }: { repeatable: boolean; attempt: number },
): number | null {
  const isPassing = PASSING.includes(status) && (retryAfter !== null || status !== 503)
  if (status !== 429 && !(isPassing && repeatable)) return null
  return retryAfter === null ? backOff(attempt) : retryAfter * 1_000
}

/** Exponential, with jitter so that clients do not return together. */
export function backOff(attempt: number): number {
  return FIRST_WAIT_MS * 2 ** attempt * (0.75 + Math.random() / 2)
}

/** Resolves after the time, or rejects with the reason of the signal. */
export async function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  const onAbort = () => reject(signal?.reason as Error)
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    await promise
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
}
