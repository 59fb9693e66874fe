import { NetError } from './net-error.ts'

type Deadline = Disposable & { signal: AbortSignal }

/** Aborts with a `NetError`: `timeout`, or `aborted` with the caller's signal. Cheaper than `AbortSignal.any`. */
export function startDeadline(milliseconds: number, caller: AbortSignal | undefined): Deadline {
  const controller = new AbortController()
  const cancel = () => {
    controller.abort(new NetError('aborted', 'The request was cancelled.', { cause: caller?.reason }))
  }
  if (caller?.aborted) cancel()
  caller?.addEventListener('abort', cancel, { once: true })
  const timer = setTimeout(() => {
    const seconds = milliseconds / 1000
    controller.abort(new NetError('timeout', `The answer took longer than ${seconds} s in all.`, { transient: true }))
  }, milliseconds)
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      clearTimeout(timer)
      caller?.removeEventListener('abort', cancel)
    },
  }
}

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
