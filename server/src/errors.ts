import { ERRORS, type ErrorCode } from '@docent/contract/errors'
import { type Outage, StoreUnavailableError } from '#store/store-unavailable.ts'

type Details = {
  /** Replaces the row's sentence or message where the contract has one made of parts. */
  text?: string
  /** Further members of the body, such as `limit` and `upgradeUrl`. */
  fields?: Record<string, unknown>
  headers?: Record<string, string>
  cause?: unknown
}

/** An error the caller is meant to see. Anything else that is thrown is a bug and reaches the caller as `internal`. */
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

  /** The JSON body of the answer. */
  get body(): Record<string, unknown> {
    return 'sentence' in ERRORS[this.code]
      ? { error: this.message, ...this.fields }
      : { error: this.code, message: this.message, ...this.fields }
  }
}

/** Seconds after which a request that the database could not serve can be sent again. Restarts take about as long. */
const RETRY_AFTER = 5

/** What a caller is told: the error itself, 503 where the database cannot do its work, and otherwise 500. */
export function toDocentError(cause: unknown): DocentError {
  if (cause instanceof DocentError) return cause
  if (!(cause instanceof StoreUnavailableError)) return new DocentError('internal', { cause })
  return new DocentError('store_unavailable', {
    text: OUTAGES[cause.outage],
    headers: { 'retry-after': String(RETRY_AFTER) },
    cause,
  })
}

const OUTAGES: Record<Outage, string> = {
  away: 'The database cannot be reached right now. Try again in a few seconds.',
  busy: 'The database has too much to do right now. Try again in a few seconds.',
  full: 'Nothing can be stored right now, because the disk of this instance is full. What is there can still be read.',
  'read-only':
    'Nothing can be stored right now, because the database of this instance takes no changes. What is there can still be read.',
}
