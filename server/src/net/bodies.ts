import type { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  brotliDecompressSync,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  zstdDecompressSync,
} from 'node:zlib'
import { type HeldBytes, createByteBudget, freeBytes } from '#lib/limits/byte-budget.ts'
import { NetError } from './net-error.ts'

/** Bytes for the bodies of all requests, and for those of downloads. */
export type BodyMemoryLimits = { bodyBytes?: number; downloadBytes?: number }

export type BodyMemory = ReturnType<typeof createBodyMemory>

/** Smaller bodies are not counted. Nearly all are smaller, and about fifty are in progress at once. */
export const SMALL_BODY = 1 << 20
/** Reserve for the compressed form of a body that is being decompressed. */
const WIRE_BYTES = 4 << 20
/** Requests with a higher limit are for archives or PDFs, one per job. */
const LARGE_REQUEST = 64 << 20
/** Three of the largest pages, or the largest sitemap. Decompression briefly needs a second copy. */
const BODY_BYTES = 64 << 20
/** The largest archive. */
const DOWNLOAD_BYTES = 128 << 20
/** A waiting download is retried later, because others hold their bytes until they finish. */
const WAIT_MS = 20_000

/**
 * Bodies larger than `SMALL_BODY` share a budget. Before a body grows beyond that, it reserves its maximum size or
 * waits, so that two bodies cannot deadlock. Unused bytes are released when it is complete. Downloads have a separate
 * budget and reserve only received bytes, because they can take minutes.
 */
export function createBodyMemory({ bodyBytes = BODY_BYTES, downloadBytes = DOWNLOAD_BYTES }: BodyMemoryLimits = {}) {
  const bodies = createByteBudget({ totalBytes: bodyBytes, waitMs: Number.POSITIVE_INFINITY, onWait: busy })
  const downloads = createByteBudget({ totalBytes: downloadBytes, waitMs: WAIT_MS, onWait: busy })
  const openBody = (maxBytes: number) => takeAtOnce(bodies.open(), Math.min(maxBytes + WIRE_BYTES, bodyBytes))
  /** For a body of at most `maxBytes`, on the wire and decompressed. */
  const open = (maxBytes: number) => (maxBytes > LARGE_REQUEST ? downloads.open() : openBody(maxBytes))
  return { open }
}

function takeAtOnce(held: HeldBytes, whole: number): HeldBytes {
  let used = 0
  let taken = 0
  /** Bytes to reserve before receiving this many more. */
  const missing = (bytes: number) => {
    const over = used + bytes - Math.max(SMALL_BODY, taken)
    return over <= 0 ? 0 : taken === 0 ? Math.max(whole, used + bytes) : over
  }
  const add = (bytes: number, more: number) => {
    used += bytes
    taken += more
  }
  return {
    tryTake(bytes) {
      const more = missing(bytes)
      if (more > 0 && !held.tryTake(more)) return false
      add(bytes, more)
      return true
    },
    async take(bytes, signal) {
      const more = missing(bytes)
      if (more > 0) await held.take(more, signal)
      add(bytes, more)
    },
    keep(bytes) {
      used = Math.min(used, bytes)
      taken = used <= SMALL_BODY ? 0 : Math.min(taken, used)
      held.keep(taken)
    },
  }
}

function busy(): NetError {
  const sentence = 'The service is reading other large documents, and has no memory for this one now.'
  return new NetError('too_large', sentence, { transient: true })
}

/** One layer is usual, and two occur (a proxy that compresses again). More is an attack. */
const MAX_LAYERS = 2

/** Bodies up to this size are decompressed synchronously, at a quarter of the cost of the thread pool. */
const INLINE_BYTES = 64 * 1024
/** Larger output takes several milliseconds, which would block this thread. */
const INLINE_OUTPUT = 512 * 1024

/** Stream piece size. Each piece is reserved in the budget before the next is decompressed. */
const PIECE_BYTES = 256 * 1024

const GZIP = { inline: gunzipSync, stream: createGunzip }
const RAW_DEFLATE = { inline: inflateRawSync, stream: createInflateRaw }
const DECODERS = new Map<string, Decoder>([
  ['gzip', GZIP],
  ['x-gzip', GZIP],
  ['deflate', { inline: inflateSync, stream: createInflate }],
  ['br', { inline: brotliDecompressSync, stream: createBrotliDecompress }],
  ['zstd', { inline: zstdDecompressSync, stream: createZstdDecompress }],
])
type Decoder = {
  inline(bytes: Uint8Array, options: { maxOutputLength: number; chunkSize: number }): Buffer<ArrayBuffer>
  stream(options: { chunkSize: number }): Transform
}

export type DecompressLimits = {
  maxBytes: number
  /** The caller's share of a budget: first the size of `body`, finally that of the returned bytes. */
  held?: HeldBytes
  signal?: AbortSignal
}

/** Decodes a Content-Encoding (RFC 9110, section 8.4). Throws `NetError` `decode`, or `too_large` beyond the limit. */
export async function decompress(body: Uint8Array, contentEncoding: string, limits: DecompressLimits) {
  const layers = contentEncoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity')
  if (layers.length > MAX_LAYERS) {
    throw new NetError('decode', `The body is compressed ${layers.length} times over; at most ${MAX_LAYERS} are read.`)
  }
  let bytes = body
  // Compressed responses often have an empty body (304, HEAD). That is not a broken stream.
  for (const layer of layers.toReversed()) {
    if (bytes.length === 0) continue
    bytes = await undo(layer, bytes, limits)
    limits.held?.keep(bytes.length)
  }
  return bytes
}

async function undo(coding: string, bytes: Uint8Array, limits: DecompressLimits): Promise<Uint8Array> {
  const decoder = decoderFor(coding, bytes)
  const { signal } = limits
  try {
    const inline = bytes.length <= INLINE_BYTES ? tryInline(decoder.inline, bytes, limits) : null
    return inline ?? (await stream(decoder.stream, bytes, limits))
  } catch (cause) {
    signal?.throwIfAborted()
    if (cause instanceof NetError) throw cause
    const text = `The body says it is compressed with ${coding}, but cannot be decompressed.`
    throw new NetError('decode', text, { cause })
  }
}

/** Decompresses synchronously if the output is small and fits the budget, otherwise returns null. */
function tryInline(decode: Decoder['inline'], bytes: Uint8Array, { maxBytes, held }: DecompressLimits) {
  const most = Math.min(maxBytes, INLINE_OUTPUT)
  if (held?.tryTake(most) === false) return null
  try {
    return own(decode(bytes, { maxOutputLength: most, chunkSize: INLINE_BYTES }))
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    if (most === maxBytes) throw tooLarge(maxBytes, cause)
    held?.keep(bytes.length)
    return null
  }
}

/** Never holds more than its share of the budget and one piece. */
async function stream(open: Decoder['stream'], bytes: Uint8Array, { maxBytes, held, signal }: DecompressLimits) {
  const pieces: Buffer[] = []
  let size = 0
  await pipeline(
    [bytes],
    open({ chunkSize: PIECE_BYTES }),
    async (decoded: AsyncIterable<Buffer>) => {
      for await (const piece of decoded) {
        size += piece.length
        if (size > maxBytes) throw tooLarge(maxBytes)
        await held?.take(piece.length, signal)
        pieces.push(piece)
      }
    },
    signal ? { signal } : {},
  )
  const whole = new Uint8Array(size)
  let at = 0
  for (const piece of pieces.splice(0)) {
    whole.set(piece, at)
    at += piece.length
    freeBytes(piece)
  }
  return whole
}

/** A limit for people. */
export const inMegabytes = (bytes: number): string =>
  bytes < 1 << 20 ? `${bytes.toLocaleString('en')} bytes` : `${Math.round(bytes / (1 << 20))} MB`

function tooLarge(maxBytes: number, cause?: unknown): NetError {
  return new NetError(
    'too_large',
    `The answer is larger than ${inMegabytes(maxBytes)} when it is decompressed, which is as much as is read of it.`,
    { cause },
  )
}

/** Copies the bytes out of a larger block and frees it. `Buffer` does not pool blocks of this size. */
function own(bytes: Buffer<ArrayBuffer>): Uint8Array {
  const { buffer, byteOffset, byteLength } = bytes
  const isAlone = byteOffset === 0 && buffer.byteLength === INLINE_BYTES && Buffer.poolSize <= INLINE_BYTES
  return isAlone ? new Uint8Array(buffer.transfer(byteLength)) : bytes
}

function decoderFor(coding: string, bytes: Uint8Array): Decoder {
  // Half of the servers send deflate without the zlib wrapper, whose first nibble is always 8.
  if (coding === 'deflate' && ((bytes[0] ?? 0) & 0x0f) !== 8) return RAW_DEFLATE
  const decoder = DECODERS.get(coding)
  if (decoder) return decoder
  throw new NetError('decode', `The body is compressed in a way that is not supported ("${coding.slice(0, 40)}").`)
}
