/**
 * A failed request to a remote server: `refused` rejects our credential, `absent` denies that the resource exists,
 * `failed` is anything else. The message is a sentence without secrets.
 */
export class UpstreamError extends Error {
  override name = 'UpstreamError'
  readonly reason: 'refused' | 'absent' | 'failed'

  constructor(reason: 'refused' | 'absent' | 'failed', message: string, options: ErrorOptions = {}) {
    super(message, options)
    this.reason = reason
  }
}
