/** Why a request got no response. A closed set: callers switch on it to retry, skip or give up. */
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

/** The only error type of this folder's API. The message is a sentence for people: what happened and what to do. */
export class NetError extends Error {
  override name = 'NetError'
  readonly reason: NetReason
  /** The failed URL, which after redirects differs from the requested one. Empty if there was none. */
  readonly url: string
  /** True if the same request may succeed later. */
  readonly transient: boolean

  constructor(reason: NetReason, message: string, { url = '', transient = false, cause }: Details = {}) {
    super(message, cause === undefined ? {} : { cause })
    this.reason = reason
    this.url = url
    this.transient = transient
  }
}
