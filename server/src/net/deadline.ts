import { NetError } from './net-error.ts'

type Deadline = Disposable & { signal: AbortSignal }

/**
 * A signal that aborts with a `NetError` when the time is over (`timeout`) or the caller's own signal aborts
 * (`aborted`). Dispose it when the work is done. Cheaper than `AbortSignal.any`, which every page would pay for.
 */
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
