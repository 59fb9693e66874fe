import { type HeldBytes, createByteBudget } from '#lib/byte-budget.ts'
import { NetError } from './net-error.ts'

/** The memory that the bodies of all requests share. */
export type BodyMemory = {
  /** For a body that may have `maxBytes`, on the wire and decompressed. */
  open(maxBytes: number): HeldBytes
}

/** A smaller body is not counted: nearly all are, and some fifty are under way at once. */
export const SMALL_BODY = 1 << 20
/** Beside a body that is decompressed, what it was on the wire. */
const WIRE_BYTES = 4 << 20
/** A request that may bring more is for an archive or a PDF, of which each job has one. */
const LARGE_REQUEST = 64 << 20
/** Three of the largest pages, or the largest sitemap. While one is decompressed it is there twice. */
const BODY_BYTES = 64 << 20
/** The largest archive. */
const DOWNLOAD_BYTES = 128 << 20
/** A download that waits for others, which hold what they have so far, is tried again later. */
const WAIT_MS = 20_000

/**
 * Bodies larger than `SMALL_BODY` share a budget: before one grows beyond that it takes all that it may come to, or waits, so that no two
 * of them can wait for each other; what it did not need is given back when it is complete. Downloads have a budget of their own and take
 * from it what they have received, since that may take them minutes.
 */
export function createBodyMemory({ bodyBytes = BODY_BYTES, downloadBytes = DOWNLOAD_BYTES } = {}): BodyMemory {
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
  /** What has to be taken from the budget for so many bytes more. */
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
