/** Why a request did not end in a response. Closed: callers switch on it to retry, skip or give up. */
export type NetReason =
  | 'invalid_url'
  | 'blocked_address'
  | 'dns'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'too_large'
  | 'too_many_redirects'
  | 'redirect_loop'
  | 'decode'
  | 'aborted'
  | 'protocol'

type Details = { url?: string; transient?: boolean; cause?: unknown }

/** The only error that leaves the net. Its message is a sentence for people: what happened and what to do. */
export class NetError extends Error {
  override name = 'NetError'
  readonly reason: NetReason
  /** The URL that failed, which after redirects is not the one asked for; empty when there was none to speak of. */
  readonly url: string
  /** True where the same request may well succeed later. */
  readonly transient: boolean

  constructor(reason: NetReason, message: string, { url = '', transient = false, cause }: Details = {}) {
    super(message, cause === undefined ? {} : { cause })
    this.reason = reason
    this.url = url
    this.transient = transient
  }
}
