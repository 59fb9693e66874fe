import { setTimeout as sleep } from 'node:timers/promises'
import { ModelError } from './model-error.ts'

/** Delay before the retry, unless the provider requests another. */
const PAUSE_MS = 500
/** With less time left, a retry is not worth its cost. */
const LEAST_MS = 500

type Limits = {
  /** Milliseconds for both attempts and the delay between them. */
  totalMs: number
  signal?: AbortSignal | undefined
}

/**
 * Retries a transient failure once, after the delay requested by the provider. Throws the first failure if the delay
 * exceeds the remaining time. `attempt` gets the remaining milliseconds.
 */
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
