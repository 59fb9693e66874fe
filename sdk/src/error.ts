import { ERRORS, type ErrorCode } from '@docent/contract/errors'

/** The service refused. `message` is meant to be shown to a person. */
export class DocentApiError extends Error {
  override name = 'DocentApiError'
  /** Of HTTP. */
  readonly status: number
  /** Which error of the interface it is; null for one that this version of the client does not know. */
  readonly code: ErrorCode | null
  /** Seconds after which a request that came too soon may be sent again. */
  readonly retryAfter: number | null
  /** The whole body of the answer: `error`, and whatever else comes with it, such as `limit` and `upgradeUrl`. */
  readonly body: Record<string, unknown>

  constructor({ status, code, retryAfter, body }: Pick<DocentApiError, 'status' | 'code' | 'retryAfter' | 'body'>) {
    super(textOf(body) ?? `The service answered with status ${status}`)
    this.status = status
    this.code = code
    this.retryAfter = retryAfter
    this.body = body
  }

  /** Reads an answer that is none; `expected` are the errors that the operation can have, told apart by their words. */
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
    // A proxy in between may answer with a page of its own.
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
