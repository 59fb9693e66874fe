import type { Signals } from './terminal.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Aborts when the process is first asked to stop. Further requests have no effect: the shutdown has its own deadline.
 */
export type Stop = Disposable & {
  signal: AbortSignal
  /** Resolves on the first request. */
  requested: Promise<void>
  /** Requests a stop another way, such as Ctrl-C in a line prompt. */
  request(): void
}

export function catchStop({ signals }: { signals: Signals }): Stop {
  const controller = new AbortController()
  const { promise, resolve } = Promise.withResolvers<void>()
  const request = () => {
    controller.abort()
    resolve()
  }
  for (const signal of SIGNALS) signals.on(signal, request)
  return {
    signal: controller.signal,
    requested: promise,
    request,
    [Symbol.dispose]() {
      for (const signal of SIGNALS) signals.off(signal, request)
    },
  }
}
