import { ERRORS, type ErrorCode } from '@docent/contract/errors'

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

export function toDocentError(cause: unknown): DocentError {
  return cause instanceof DocentError ? cause : new DocentError('internal', { cause })
}
