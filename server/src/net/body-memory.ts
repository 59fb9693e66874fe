import { type HeldBytes, createByteBudget } from '#lib/limits/byte-budget.ts'
import { NetError } from './net-error.ts'

/** Bytes for the bodies of all requests, and for those of downloads. */
export type BodyMemoryLimits = { bodyBytes?: number; downloadBytes?: number }

/** Memory shared by the bodies of all requests. */
export type BodyMemory = {
  /** For a body of at most `maxBytes`, on the wire and decompressed. */
  open(maxBytes: number): HeldBytes
}

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
export function createBodyMemory({
  bodyBytes = BODY_BYTES,
  downloadBytes = DOWNLOAD_BYTES,
}: BodyMemoryLimits = {}): BodyMemory {
  const bodies = createByteBudget({ totalBytes: bodyBytes, waitMs: Number.POSITIVE_INFINITY, onWait: busy })
  const downloads = createByteBudget({ totalBytes: downloadBytes, waitMs: WAIT_MS, onWait: busy })
  return {
    open: (maxBytes) =>
      maxBytes > LARGE_REQUEST
        ? downloads.open()
        : takeAtOnce(bodies.open(), Math.min(maxBytes + WIRE_BYTES, bodyBytes)),
  }
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
