/** Bytes that several users share. Who wants more than there is waits its turn. */
export type ByteBudget = {
  /** A holding of no bytes yet. */
  open(): HeldBytes
  /** Bytes held by all. */
  readonly held: number
  /** Users that wait. */
  readonly waiting: number
}

export type HeldBytes = {
  /** Takes more if they are free now, and nobody waits for any. */
  tryTake(bytes: number): boolean
  /**
   * Takes more, when they are free and everybody before has had theirs. Rejects with the signal's reason, or with what `onWait` gives
   * after `waitMs`: users that hold some and wait for more could wait for each other for ever.
   */
  take(bytes: number, signal?: AbortSignal): Promise<void>
  /** Gives back all but so many. */
  keep(bytes: number): void
}

type Options = {
  totalBytes: number
  /** Milliseconds that a user waits at most; may be infinite. */
  waitMs: number
  /** The error of a user that has waited too long. */
  onWait: () => Error
}

type Waiting = { bytes: number; own: () => number; grant: () => void }

/** Shares `totalBytes`. Who holds all that is held can take more than that: it is bounded by limits of its own. */
export function createByteBudget({ totalBytes, waitMs, onWait }: Options): ByteBudget {
  const waiting: Waiting[] = []
  let held = 0
  const fits = (bytes: number, own: number) => held + bytes <= totalBytes || held === own
  const serve = () => {
    for (let next = waiting[0]; next !== undefined && fits(next.bytes, next.own()); next = waiting[0]) {
      waiting.shift()
      next.grant()
    }
  }
  const open = (): HeldBytes => {
    let own = 0
    const add = (bytes: number) => {
      own += bytes
      held += bytes
    }
    const tryTake = (bytes: number) => {
      // Who waits is not overtaken, but by who holds everything that they wait for.
      if (!fits(bytes, own) || (waiting.length > 0 && held !== own)) return false
      add(bytes)
      return true
    }
    const take = async (bytes: number, signal?: AbortSignal) => {
      signal?.throwIfAborted()
      if (tryTake(bytes)) return
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const grant = () => {
        add(bytes)
        resolve()
      }
      const one: Waiting = { bytes, own: () => own, grant }
      waiting.push(one)
      const leave = (error: unknown) => {
        const at = waiting.indexOf(one)
        if (at >= 0) waiting.splice(at, 1)
        reject(error)
        serve()
      }
      const onAbort = () => leave(signal?.reason)
      const timer = Number.isFinite(waitMs) ? setTimeout(() => leave(onWait()), waitMs) : undefined
      signal?.addEventListener('abort', onAbort, { once: true })
      await promise.finally(() => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', onAbort)
      })
    }
    const keep = (bytes: number) => {
      const given = Math.max(0, own - bytes)
      own -= given
      held -= given
      if (given > 0) serve()
    }
    return { tryTake, take, keep }
  }
  return {
    open,
    get held() {
      return held
    },
    get waiting() {
      return waiting.length
    },
  }
}
