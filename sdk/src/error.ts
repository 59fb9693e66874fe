import { ERRORS } from '@docent/contract/errors'
import type { ErrorCode } from './operation-types.ts'

export type { ErrorCode }

/** A refusal by the service. `message` is meant for users. */
export class DocentApiError extends Error {
  override name = 'DocentApiError'
  /** HTTP status. */
  readonly status: number
  /** Error code of the interface; null for errors unknown to this version of the client. */
  readonly code: ErrorCode | null
  /** Seconds until a rate-limited request may be repeated. */
  readonly retryAfter: number | null
  /** The whole body of the answer: `error` and further fields, such as `limit` and `upgradeUrl`. */
  readonly body: Record<string, unknown>

  constructor({ status, code, retryAfter, body }: Pick<DocentApiError, 'status' | 'code' | 'retryAfter' | 'body'>) {
    super(textOf(body) ?? `The service answered with status ${status}`)
    this.status = status
    this.code = code
    this.retryAfter = retryAfter
    this.body = body
  }

  /** Parses an error answer. `expected` lists the operation's errors, which are identified by their words. */
  static async from(response: Response, expected: readonly ErrorCode[]): Promise<DocentApiError> {
    const body = await readBody(response)
    const wait = Number(response.headers.get('retry-after') ?? Number.NaN)
    const { status } = response
    return new DocentApiError({ status, code: codeOf(body, expected), retryAfter: wait >= 0 ? wait : null, body })
  }
}

async function readBody(response: Response): Promise<Record<string, unknown>> {
  const text = await response.text()
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body === 'object' && body !== null) return { ...body }
  } catch (error) {
    // A proxy in between may answer with HTML.
    if (!(error instanceof SyntaxError)) throw error
  }
  return { error: text.slice(0, 500) }
}

function codeOf({ error }: Record<string, unknown>, expected: readonly ErrorCode[]): ErrorCode | null {
  if (typeof error !== 'string') return null
  const all = Object.keys(ERRORS) as ErrorCode[]
  const matches = (code: ErrorCode) => {
    const row = ERRORS[code]
    if (!('sentence' in row)) return error === code
    return 'goesOn' in row ? error.startsWith(row.sentence) : error === row.sentence
  }
  return expected.find(matches) ?? all.find(matches) ?? null
}

function textOf({ message, error }: Record<string, unknown>): string | null {
  if (typeof message === 'string') return message
  return typeof error === 'string' && error !== '' ? error : null
}
