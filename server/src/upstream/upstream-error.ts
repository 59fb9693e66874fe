/**
 * What became of a question to somebody else's server: `refused` is its word against our credential, `absent` that it
 * has no such thing or will not admit it, `failed` everything else. The message is a sentence without any secret.
 */
export class UpstreamError extends Error {
  override name = 'UpstreamError'
  readonly reason: 'refused' | 'absent' | 'failed'

  constructor(reason: 'refused' | 'absent' | 'failed', message: string, options: ErrorOptions = {}) {
    super(message, options)
    this.reason = reason
  }
}
