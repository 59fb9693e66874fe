/** A byte budget with several users. A user that needs more than is free waits in a queue. */
export type ByteBudget = {
  /** Opens an empty holding. */
  open(): HeldBytes
  /** Bytes held by all users. */
  readonly held: number
  /** Number of waiting users. */
  readonly waiting: number
}

export type HeldBytes = {
  /** Takes more bytes if they are free now and nobody waits. */
  tryTake(bytes: number): boolean
  /**
   * Takes more bytes when they are free and earlier users are served. Rejects with the signal's reason, or with the
   * error of `onWait` after `waitMs`, because users that hold some bytes could deadlock.
   */
  take(bytes: number, signal?: AbortSignal): Promise<void>
  /** Releases all but this many bytes. */
  keep(bytes: number): void
}

type Options = {
  totalBytes: number
  /** Maximum wait in milliseconds. Can be infinite. */
  waitMs: number
  /** Creates the error of a user that waited too long. */
  onWait: () => Error
}

type Waiting = { bytes: number; own: () => number; grant: () => void }

/**
 * Creates a budget of `totalBytes`. A user that holds all held bytes can exceed it, because other limits bound that
 * user.
 */
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
      // Only the holder of all held bytes may overtake the queue.
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
