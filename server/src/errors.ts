import { waitInWords } from '#lib/clock.ts'
import { ERRORS, type ErrorCode } from '@docent/contract/errors'
import { type RateLimit, limitInWords } from '@docent/contract/rate-limit'
import { type Outage, StoreUnavailableError } from '#store/engine/outages.ts'

type Details = {
  /** Replaces the contract's message, if that is built from parts. */
  text?: string
  /** Additional members of the body, such as `limit` and `upgradeUrl`. */
  fields?: Record<string, unknown>
  headers?: Record<string, string>
  cause?: unknown
}

/** An error meant for the caller. Any other thrown value is a bug and reaches the caller as `internal`. */
export class DocentError extends Error {
  override name = 'DocentError'
  readonly code: ErrorCode
  readonly fields: Record<string, unknown>
  readonly headers: Record<string, string>

  constructor(code: ErrorCode, { text, fields = {}, headers = {}, cause }: Details = {}) {
    const row = ERRORS[code]
    super(text ?? ('sentence' in row ? row.sentence : row.message), cause === undefined ? {} : { cause })
    this.code = code
    this.fields = fields
    this.headers = headers
  }

  get status() {
    return ERRORS[this.code].status
  }

  get body(): Record<string, unknown> {
    const { 'retry-after': wait } = this.headers
    // Callers at the account-level endpoint see no headers.
    const fields = { ...this.fields, ...(wait === undefined ? {} : { retryAfterSeconds: Number(wait) }) }
    return 'sentence' in ERRORS[this.code]
      ? { error: this.message, ...fields }
      : { error: this.code, message: this.message, ...fields }
  }
}

/** The value, which a look-up may not have found. Throws the error with this code without one. */
export function found<T>(value: T, code: ErrorCode): NonNullable<T> {
  if (value === undefined || value === null) throw new DocentError(code)
  return value
}

/** `429 too_many_requests`, with the limit that was reached, and the wait in `Retry-After` and in words. */
export function tooManyRequests(retryAfterSeconds: number, reached?: RateLimit): DocentError {
  const seconds = Math.max(1, Math.ceil(retryAfterSeconds))
  const limit = reached ? ` The limit is ${limitInWords(reached)}.` : ''
  return new DocentError('too_many_requests', {
    text: `${ERRORS.too_many_requests.sentence}${limit} Try again in ${waitInWords(seconds)}.`,
    ...(reached ? { fields: { limit: reached.limit } } : {}),
    headers: { 'retry-after': String(seconds) },
  })
}

/** Retry-After in seconds while the database is unavailable. A restart takes about that long. */
const RETRY_AFTER = 5

/** Maps a thrown value to the caller's error: itself, 503 if the store is unavailable, otherwise 500. */
export function toDocentError(cause: unknown): DocentError {
  if (cause instanceof DocentError) return cause
  if (!(cause instanceof StoreUnavailableError)) return new DocentError('internal', { cause })
  const headers = { 'retry-after': String(RETRY_AFTER) }
  const text = OUTAGES[cause.outage].replace('The database', cause.what)
  return new DocentError('store_unavailable', { text, headers, cause })
}

const OUTAGES: Record<Outage, string> = {
  refused: 'The database refuses requests of this instance right now. Its operator can find out why in the log.',
  away: 'The database cannot be reached right now. Try again in a few seconds.',
  busy: 'The database has too much to do right now. Try again in a few seconds.',
  full: 'Nothing can be stored right now, because the disk of this instance is full. What is there can still be read.',
  'read-only':
    'Nothing can be stored right now, because the database of this instance takes no changes. What is there can still be read.',
}
