/** The bytes of one user of a budget. */

export type HeldBytes = {
  /** Takes more bytes if they are free now and nobody waits. */
  tryTake(bytes: number): boolean
  /** Takes bytes in turn. Rejects with the signal's reason, or the error of `onWait`: holders could deadlock. */
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

/** Creates a budget. A user that holds all held bytes can exceed it, because other limits bound that user. */
export function createByteBudget({ totalBytes, waitMs, onWait }: Options) {
  const queue: Waiting[] = []
  let held = 0
  const fits = (bytes: number, own: number) => held + bytes <= totalBytes || held === own
  /** Serves waiting users in order, until one does not fit. */
  const serve = () => {
    for (let [next] = queue; next !== undefined && fits(next.bytes, next.own()); [next] = queue) {
      queue.shift()
      next.grant()
    }
  }
  /** Resolves when the user was served. Rejects on abort and after the maximum wait. */
  const wait = async (one: Waiting, served: Promise<void>, signal?: AbortSignal) => {
    const left = Promise.withResolvers<never>()
    queue.push(one)
    const leave = (error: unknown) => {
      const at = queue.indexOf(one)
      if (at >= 0) queue.splice(at, 1)
      left.reject(error)
      serve()
    }
    const onAbort = () => leave(signal?.reason)
    const timer = Number.isFinite(waitMs) ? setTimeout(() => leave(onWait()), waitMs) : undefined
    signal?.addEventListener('abort', onAbort, { once: true })
    await Promise.race([served, left.promise]).finally(() => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    })
  }
  const open = (): HeldBytes => {
    let own = 0
    const add = (bytes: number) => {
      own += bytes
      held += bytes
    }
    const tryTake = (bytes: number) => {
      // Only the holder of all held bytes may overtake the queue.
      const isFree = fits(bytes, own) && (queue.length === 0 || held === own)
      if (isFree) add(bytes)
      return isFree
    }
    return {
      tryTake,
      async take(bytes, signal) {
        signal?.throwIfAborted()
        if (tryTake(bytes)) return
        const { promise, resolve } = Promise.withResolvers<void>()
        const grant = () => {
          add(bytes)
          resolve()
        }
        await wait({ bytes, own: () => own, grant }, promise, signal)
      },
      keep(bytes) {
        const given = Math.max(0, own - bytes)
        add(-given)
        if (given > 0) serve()
      },
    }
  }
  return {
    open,
    /** Bytes of all users. */
    get held() {
      return held
    },
    /** Number of waiting users. */
    get waiting() {
      return queue.length
    },
  }
}

/** Frees the memory of unneeded bytes before the garbage collector would. Shared buffers are not freed. */
export function freeBytes({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength && !buffer.resizable) buffer.transfer(0)
}
