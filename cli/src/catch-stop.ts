const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Aborts once somebody asks the process to end. Further requests change nothing: the end has its own deadline. */
export type Stop = Disposable & {
  signal: AbortSignal
  /** Resolves when it happens. */
  requested: Promise<void>
  /** For a request that came another way, such as Ctrl-C while a line is typed. */
  request(): void
}

export function catchStop(): Stop {
  const controller = new AbortController()
  const { promise, resolve } = Promise.withResolvers<void>()
  const request = () => {
    controller.abort()
    resolve()
  }
  for (const signal of SIGNALS) process.on(signal, request)
  return {
    signal: controller.signal,
    requested: promise,
    request,
    [Symbol.dispose]() {
      for (const signal of SIGNALS) process.off(signal, request)
    },
  }
}
