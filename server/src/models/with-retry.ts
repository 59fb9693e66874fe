import { setTimeout as sleep } from 'node:timers/promises'
import { ModelError } from './model-error.ts'

/** Before the second try, where the provider does not say how long to wait. */
const PAUSE_MS = 500
/** A try with less time than this left is not worth its cost. */
const LEAST_MS = 500

type Limits = {
  /** Milliseconds for both tries and the wait between them. */
  totalMs: number
  signal?: AbortSignal | undefined
}

/**
 * Tries once more where a failure may pass, after as long as the provider asks for. Where that does not fit into the
 * time that is left, the first failure stands. `attempt` gets the milliseconds that are left.
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
