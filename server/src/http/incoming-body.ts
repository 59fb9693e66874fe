import { isUtf8 } from 'node:buffer'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ErrorCode } from '@docent/contract/errors'
import { DocentError } from '#errors.ts'
import type { BodyBudget } from './body-budget.ts'
import type { BodyClock } from './body-clock.ts'

/** What the bodies of a node share. */
export type Bodies = { budget: BodyBudget; clock: BodyClock }

type Exchange = { incoming: IncomingMessage; outgoing: ServerResponse }

/** Seconds for each further 64 KiB, or for the rest: at least 6.5 kB/s, which the slowest mobile networks reach. */
const PIECE_TICKS = 10
/** Seconds for a body that is read whole. Most are there with the headers. */
const WHOLE_TICKS = 60
/** Bytes collected before a reader of pieces gets them, and held for a reader that has not come yet. */
const PIECE_BYTES = 64 * 1024
/** First size of the buffer, which doubles: enough for most bodies. */
const FIRST_BYTES = 2 * 1024
/** Parts of any size that a body may have, and the mean size of those beyond. A byte in a chunk costs six on the wire. */
const FREE_PARTS = 4_096
const MEAN_PART_BYTES = 64
/** What a reader of pieces holds of them: a part that is written to the store, and its copy. */
const PIECES_HELD_BYTES = 4 * 1024 * 1024
const RETRY_AFTER_SECONDS = 1
const BOM = '\uFEFF'
const EMPTY = Buffer.alloc(0)

/**
 * The body of a request, read straight from Node: everything that arrives is copied into one buffer, so that memory is
 * bounded by the size of the body and not by the number of its chunks. Holds 64 KiB at most until it is read, once, as
 * text or in pieces. Reading throws `413 payload_too_large`, `408 request_timeout` for a client that is too slow,
 * `400 chunks_too_small`, and `503 too_busy` where all bodies under way hold too much; the connection is closed then.
 */
export class IncomingBody implements Disposable {
  /** The length that the request declares, in bytes. */
  readonly declared: number | null
  readonly #exchange: Exchange
  readonly #bodies: Bodies
  readonly #address: string
  #held: Buffer = EMPTY
  #size = 0
  #total = 0
  #parts = 0
  #reserved = 0
  /** Bytes to hold before reading pauses, or fails if they are more than the reader takes. */
  #room = PIECE_BYTES
  #isWhole = false
  #hasEnded = false
  #failure: DocentError | null = null
  #wake: (() => void) | null = null
  #nextPieceAt = PIECE_BYTES
  #pieceTicks = 0
  #wholeTicks = 0
  /** For the clock. */
  place = 0

  constructor(exchange: Exchange, bodies: Bodies, address: string) {
    const { incoming } = exchange
    this.#exchange = exchange
    this.#bodies = bodies
    this.#address = address
    const length = incoming.headers['content-length']
    this.declared = length === undefined ? null : Number(length)
    incoming.on('data', this.#onData)
    incoming.once('end', this.#onEnd)
    incoming.once('error', this.#onError)
    if (incoming.destroyed) this.#onError()
  }

  /** The whole body as text, without a byte order mark, if it has at most `limit` bytes; null where it is not UTF-8. */
  async text(limit: number): Promise<string | null> {
    this.#isWhole = true
    this.#room = limit
    if ((this.declared ?? 0) > limit || this.#size > limit) this.#fail('payload_too_large')
    if (!this.#isReady()) await this.#next()
    if (this.#failure) throw this.#failure
    const bytes = this.#held.subarray(0, this.#size)
    this.#held = EMPTY
    if (!isUtf8(bytes)) return null
    const text = bytes.toString('utf8')
    return text.startsWith(BOM) ? text.slice(BOM.length) : text
  }

  /** The body in pieces of 64 KiB and more, the last one excepted. Time between two of them is not the client's. */
  async *pieces(): AsyncGenerator<Uint8Array> {
    if (!this.#reserve(PIECES_HELD_BYTES)) this.#fail('too_busy')
    for (;;) {
      if (!this.#isReady()) await this.#next()
      if (this.#failure) throw this.#failure
      const piece = this.#held.subarray(0, this.#size)
      this.#held = EMPTY
      this.#size = 0
      if (piece.byteLength > 0) yield piece
      if (this.#hasEnded && this.#size === 0) return
    }
  }

  /** Lets the rest of a body that is not read go by. */
  [Symbol.dispose](): void {
    if (this.#hasEnded || this.#failure !== null) return
    this.#fail('malformed_request')
  }

  /** Until the body has ended or, for a reader of pieces, there is one. */
  #next(): Promise<void> {
    const { incoming } = this.#exchange
    this.#nextPieceAt = this.#total + PIECE_BYTES
    this.#pieceTicks = 0
    this.#bodies.clock.add(this)
    if (incoming.isPaused()) incoming.resume()
    return new Promise<void>((resolve) => (this.#wake = resolve))
  }

  /** Called by the clock, once a second, while the client is waited for. */
  tick(): void {
    this.#pieceTicks += 1
    this.#wholeTicks += 1
    if (this.#pieceTicks > PIECE_TICKS || (this.#isWhole && this.#wholeTicks > WHOLE_TICKS)) {
      this.#fail('request_timeout')
    }
  }

  #isReady(): boolean {
    return this.#hasEnded || this.#failure !== null || (!this.#isWhole && this.#size >= this.#room)
  }

  readonly #onData = (part: Buffer): void => {
    this.#total += part.byteLength
    this.#parts += 1
    if (this.#parts > FREE_PARTS + this.#total / MEAN_PART_BYTES) return this.#fail('chunks_too_small')
    if (this.#isWhole && this.#total > this.#room) return this.#fail('payload_too_large')
    if (!this.#append(part)) return this.#fail('too_busy')
    if (!this.#isWhole && this.#size >= this.#room) {
      this.#exchange.incoming.pause()
      this.#settle()
    } else if (this.#total >= this.#nextPieceAt) {
      this.#nextPieceAt = this.#total + PIECE_BYTES
      this.#pieceTicks = 0
    }
  }

  readonly #onEnd = (): void => {
    this.#hasEnded = true
    this.#settle()
  }

  /** The client has gone: nobody reads what is answered. */
  readonly #onError = (): void => this.#fail('malformed_request')

  #append(part: Buffer): boolean {
    // All at once, as most bodies come: no copy.
    if (this.#size === 0 && part.byteLength === this.declared) {
      this.#held = part
      this.#size = part.byteLength
      return true
    }
    const size = this.#size + part.byteLength
    if (size > this.#held.byteLength) {
      const capacity = Math.max(size, Math.min(2 * this.#held.byteLength, this.declared ?? Infinity), FIRST_BYTES)
      if (capacity > this.#reserved && !this.#reserve(capacity - this.#reserved)) return false
      const grown = Buffer.allocUnsafeSlow(capacity)
      this.#held.copy(grown, 0, 0, this.#size)
      this.#held = grown
    }
    part.copy(this.#held, this.#size)
    this.#size = size
    return true
  }

  /** Until the answer is sent: the text of a body lives as long. */
  #reserve(bytes: number): boolean {
    const { budget } = this.#bodies
    const { outgoing } = this.#exchange
    if (outgoing.closed || !budget.take(this.#address, bytes)) return false
    if (this.#reserved === 0) outgoing.once('close', () => budget.give(this.#address, this.#reserved))
    this.#reserved += bytes
    return true
  }

  /** The rest goes by unread, so that the refusal can be read. */
  #fail(code: ErrorCode): void {
    const { incoming } = this.#exchange
    const wait = code === 'too_busy' ? { 'retry-after': String(RETRY_AFTER_SECONDS) } : {}
    this.#failure ??= new DocentError(code, { headers: { connection: 'close', ...wait } })
    this.#held = EMPTY
    this.#size = 0
    incoming.off('data', this.#onData).off('end', this.#onEnd).resume()
    this.#settle()
  }

  #settle(): void {
    const wake = this.#wake
    if (wake === null) return
    this.#wake = null
    this.#bodies.clock.delete(this)
    wake()
  }
}
