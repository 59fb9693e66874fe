/** A refusal by the service. The message is a sentence for people. */
export class ApiError extends Error {
  override name = 'ApiError'
  /** HTTP status; 0 if the service did not answer. */
  readonly status: number
  /** The `error` member: a code or a sentence. */
  readonly code: string
  readonly body: Readonly<Record<string, unknown>>

  constructor(status: number, body: Readonly<Record<string, unknown>>) {
    const { message, error } = body as { message?: unknown; error?: unknown }
    const told = [message, error].find((text) => typeof text === 'string' && text !== '')
    super(typeof told === 'string' ? told : `The service answered with status ${status}.`)
    this.status = status
    this.code = typeof error === 'string' ? error : ''
    this.body = body
  }

  static unreachable(): ApiError {
    return new ApiError(0, { message: 'The service does not answer. Check that it runs, then try again.' })
  }

  static async from(response: Response): Promise<ApiError> {
    const text = await response.text()
    try {
      const body: unknown = JSON.parse(text)
      if (typeof body === 'object' && body !== null) return new ApiError(response.status, { ...body })
    } catch (error) {
      // A proxy in between may answer with HTML.
      if (!(error instanceof SyntaxError)) throw error
    }
    return new ApiError(response.status, {})
  }
}
