import { isUtf8 } from 'node:buffer'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ErrorCode } from '@docent/contract/errors'
import { DocentError } from '#errors.ts'
import type { createBodyBudget } from './body-budget.ts'

/** Resources shared by all request bodies of a node. */
export type Bodies = { budget: ReturnType<typeof createBodyBudget>; clock: ReturnType<typeof createBodyClock> }

export type Exchange = { incoming: IncomingMessage; outgoing: ServerResponse }

/** Seconds per further 64 KiB or remainder: at least 6.5 kB/s, which the slowest mobile networks reach. */
const PIECE_TICKS = 10
/** Seconds for a body that is read whole. Most arrive with the headers. */
const WHOLE_TICKS = 60
/** Bytes per piece for streaming readers. Also the buffer limit before a reader attaches. */
const PIECE_BYTES = 64 * 1024
/** Initial buffer size, enough for most bodies. The buffer doubles as needed. */
const FIRST_BYTES = 2 * 1024
/** Chunks of any size per body, and the mean size beyond that. A one-byte chunk costs six bytes on the wire. */
const FREE_PARTS = 4_096
const MEAN_PART_BYTES = 64
/** The same for an address that sent smaller ones within the last seconds. */
const SUSPECT_PARTS = 64
/** What is still taken of a body in too small chunks, after its refusal. */
const [REST_BYTES, REST_MS] = [1_000_000, 1_000]
/** Memory of a streaming reader: the part being written to the store, and its copy. */
const PIECES_HELD_BYTES = 4 * 1024 * 1024
const EMPTY = Buffer.alloc(0)

/**
 * A request body, read directly from Node. All input is copied into one buffer, so memory is bounded by the body's size
 * and not by its number of chunks. Buffers at most 64 KiB until it is read, once, as text or in pieces. Reading throws
 * `413 payload_too_large`, `408 request_timeout` for a slow client, `400 chunks_too_small`, and `503 too_busy` beyond
 * the shared memory budget. The connection is closed after an error.
 */
export class IncomingBody implements Disposable {
  /** Declared length in bytes. */
  readonly declared: number | null
  readonly #exchange: Exchange
  readonly #bodies: Bodies
  readonly #address: string
  readonly #freeParts: number
  #held: Buffer = EMPTY
  #size = 0
  #total = 0
  #parts = 0
  #reserved = 0
  /** Bytes to buffer before reading pauses, or fails if the reader accepts fewer. */
  #room = PIECE_BYTES
  #isWhole = false
  #hasEnded = false
  #failure: DocentError | null = null
  #wake: (() => void) | null = null
  #nextPieceAt = PIECE_BYTES
  #pieceTicks = 0
  #wholeTicks = 0
  place = 0

  constructor(exchange: Exchange, bodies: Bodies, address: string) {
    const { incoming } = exchange
    this.#exchange = exchange
    this.#bodies = bodies
    this.#address = address
    this.#freeParts = bodies.budget.isSuspect(address) ? SUSPECT_PARTS : FREE_PARTS
    const length = incoming.headers['content-length']
    this.declared = length === undefined ? null : Number(length)
    incoming.on('data', this.#onData)
    incoming.once('end', this.#onEnd)
    incoming.once('error', this.#onError)
    if (incoming.destroyed) this.#onError()
  }

  /** The whole body as text without a byte order mark, at most `limit` bytes. Null if it is not UTF-8. */
  async text(limit: number): Promise<string | null> {
    this.#isWhole = true
    this.#room = limit
    if ((this.declared ?? 0) > limit || this.#size > limit) this.#fail('payload_too_large')
    if (!this.#isReady()) await this.#next()
    if (this.#failure) throw this.#failure
    const bytes = this.#held.subarray(0, this.#size)
    this.#held = EMPTY
    return isUtf8(bytes) ? bytes.toString('utf8').replace(/^\uFEFF/, '') : null
  }

  /** Yields pieces of at least 64 KiB, except the last. Time between reads does not count against the client. */
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

  /** Discards the unread rest of the body. */
  [Symbol.dispose](): void {
    if (this.#hasEnded || this.#failure !== null) return
    this.#fail('malformed_request')
  }

  /** Resolves when the body has ended or, for a streaming reader, when a piece is available. */
  #next(): Promise<void> {
    const { incoming } = this.#exchange
    this.#nextPieceAt = this.#total + PIECE_BYTES
    this.#pieceTicks = 0
    this.#bodies.clock.add(this)
    if (incoming.isPaused()) incoming.resume()
    return new Promise<void>((resolve) => (this.#wake = resolve))
  }

  /** Called by the clock once a second while the body waits for the client. */
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
    if (this.#isTooSmall(part)) return this.#fail('chunks_too_small')
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

  /** Counts the chunk, also after another refusal. Parsing chunks of a byte costs more than anything else here. */
  #isTooSmall(part: Buffer): boolean {
    this.#total += part.byteLength
    this.#parts += 1
    if (this.#parts <= this.#freeParts + this.#total / MEAN_PART_BYTES) return false
    this.#bodies.budget.suspect(this.#address)
    dropRest(this.#exchange)
    return true
  }

  readonly #onRest = (part: Buffer): void => {
    if (this.#isTooSmall(part)) this.#exchange.incoming.off('data', this.#onRest)
  }

  readonly #onEnd = (): void => {
    this.#hasEnded = true
    this.#settle()
  }

  /** The client has disconnected, so nobody reads the response. */
  readonly #onError = (): void => this.#fail('malformed_request')

  #append(part: Buffer): boolean {
    // The body arrived in one part, as most do: no copy needed.
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

  /** Held until the response is sent, because the text of the body lives that long. */
  #reserve(bytes: number): boolean {
    const { budget } = this.#bodies
    const { outgoing } = this.#exchange
    if (outgoing.closed || !budget.take(this.#address, bytes)) return false
    if (this.#reserved === 0) outgoing.once('close', () => budget.give(this.#address, this.#reserved))
    this.#reserved += bytes
    return true
  }

  /** Drain the rest, so that the client can read the refusal. */
  #fail(code: ErrorCode): void {
    const { incoming } = this.#exchange
    const wait = code === 'too_busy' ? { 'retry-after': '1' } : {}
    this.#failure ??= new DocentError(code, { headers: { connection: 'close', ...wait } })
    this.#held = EMPTY
    this.#size = 0
    incoming.off('data', this.#onData).off('end', this.#onEnd)
    // The rest of one in too small chunks is not parsed.
    if (code !== 'chunks_too_small') incoming.on('data', this.#onRest).resume()
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

/**
 * Takes the connection from the parser. Once the refusal is sent, reads a little more, so that the client can read it,
 * and closes the connection.
 */
function dropRest({ incoming: { socket }, outgoing }: Exchange): void {
  const drop = takeFromParser(socket, REST_BYTES, () => socket.destroy())
  if (outgoing.writableFinished) drop()
  else outgoing.once('finish', drop)
}

/**
 * Takes a connection from Node's parser. The returned function discards what arrives, calls `onMost` once when it is more
 * than `most` bytes, and closes the connection after a second.
 */
export function takeFromParser(socket: Socket, most: number, onMost: () => void): () => void {
  let read = 0
  // The parser gives the connection up when it gets another reader.
  socket.removeAllListeners('data').on('data', (bytes: Buffer) => {
    const before = read
    read += bytes.byteLength
    if (read > most && before <= most) onMost()
  })
  socket.pause()
  return () => {
    socket.resume()
    setTimeout(() => socket.destroy(), REST_MS).unref()
  }
}

/** A body that the clock calls on every tick. */
type Ticked = {
  tick(): void
  /** Index in the clock's array. Internal to the clock. */
  place: number
}

const TICK_MS = 1_000

/** One timer for all bodies in progress. A timer per body costs more than reading most bodies. */
export function createBodyClock(everyMs = TICK_MS) {
  // An array, because bodies are added and removed on every request (see `RecordMap`).
  const bodies: Ticked[] = []
  let timer: NodeJS.Timeout | null = null
  const tick = () => {
    if (bodies.length === 0 && timer !== null) {
      clearInterval(timer)
      timer = null
    }
    // Iterate backwards: a slow body removes itself, and the last one takes its index.
    for (let at = bodies.length - 1; at >= 0; at--) bodies[at]?.tick()
  }
  return {
    /** Adds a body that is not registered yet. */
    add(body: Ticked): void {
      body.place = bodies.push(body) - 1
      timer ??= setInterval(tick, everyMs).unref()
    },
    delete(body: Ticked): void {
      const last = bodies.pop()
      if (last === undefined || last === body) return
      bodies[body.place] = last
      last.place = body.place
    },
  }
}
