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

type Waiting = { bytes: number; holding: Holding; grant: () => void }

/**
 * Creates a budget of `totalBytes`. A user that holds all held bytes can exceed it, because other limits bound that
 * user.
 */
export function createByteBudget(options: Options): ByteBudget {
  return new Budget(options)
}

class Budget implements ByteBudget {
  readonly #options: Options
  readonly #queue: Waiting[] = []
  #held = 0

  constructor(options: Options) {
    this.#options = options
  }

  get held(): number {
    return this.#held
  }

  get waiting(): number {
    return this.#queue.length
  }

  open(): HeldBytes {
    return new Holding(this)
  }

  /** True if these bytes can be taken now. Only the holder of all held bytes may overtake the queue. */
  isFree(bytes: number, own: number): boolean {
    return this.#fits(bytes, own) && (this.#queue.length === 0 || this.#held === own)
  }

  add(bytes: number): void {
    this.#held += bytes
  }

  release(bytes: number): void {
    this.#held -= bytes
    this.#serve()
  }

  /** Resolves once the holding has got the bytes. Rejects on abort and after the maximum wait. */
  async wait(bytes: number, holding: Holding, signal?: AbortSignal): Promise<void> {
    const { waitMs, onWait } = this.#options
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const one: Waiting = { bytes, holding, grant: resolve }
    this.#queue.push(one)
    const leave = (error: unknown) => {
      const at = this.#queue.indexOf(one)
      if (at >= 0) this.#queue.splice(at, 1)
      reject(error)
      this.#serve()
    }
    const onAbort = () => leave(signal?.reason)
    const timer = Number.isFinite(waitMs) ? setTimeout(() => leave(onWait()), waitMs) : undefined
    signal?.addEventListener('abort', onAbort, { once: true })
    await promise.finally(() => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    })
  }

  #fits(bytes: number, own: number): boolean {
    return this.#held + bytes <= this.#options.totalBytes || this.#held === own
  }

  /** Serves waiting users in order, until one does not fit. */
  #serve(): void {
    for (
      let next = this.#queue[0];
      next !== undefined && this.#fits(next.bytes, next.holding.own);
      next = this.#queue[0]
    ) {
      this.#queue.shift()
      next.holding.add(next.bytes)
      next.grant()
    }
  }
}

class Holding implements HeldBytes {
  readonly #budget: Budget
  #own = 0

  constructor(budget: Budget) {
    this.#budget = budget
  }

  get own(): number {
    return this.#own
  }

  add(bytes: number): void {
    this.#own += bytes
    this.#budget.add(bytes)
  }

  tryTake(bytes: number): boolean {
    if (!this.#budget.isFree(bytes, this.#own)) return false
    this.add(bytes)
    return true
  }

  async take(bytes: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    if (!this.tryTake(bytes)) await this.#budget.wait(bytes, this, signal)
  }

  keep(bytes: number): void {
    const given = Math.max(0, this.#own - bytes)
    this.#own -= given
    if (given > 0) this.#budget.release(given)
  }
}

/**
 * Frees the memory of unneeded bytes immediately and leaves them empty. The garbage collector would wait until tens of
 * megabytes of older objects have accumulated. Bytes that share a buffer are not freed.
 */
export function freeBytes({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength && !buffer.resizable) buffer.transfer(0)
}
