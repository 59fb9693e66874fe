import { NetError } from './net-error.ts'

/** Waits for work that cannot be cancelled until the signal aborts, then throws `NetError` `aborted`. */
export async function abortable<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work
  const { promise: stopped, reject } = Promise.withResolvers<never>()
  const stop = () => reject(new NetError('aborted', 'The request was cancelled.', { cause: signal.reason }))
  if (signal.aborted) stop()
  else signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([work, stopped])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
