/**
 * Reason for a failed model call. Transient: `busy` (rate limit or overload), `unavailable` (unreachable or server
 * error), `timeout`, `cut_off` (the stream ended early) and `malformed`. Permanent: `refused` (key, model or request
 * rejected), `over_budget` and `aborted`.
 */
export type ModelFailure =
  | 'refused'
  | 'busy'
  | 'unavailable'
  | 'timeout'
  | 'cut_off'
  | 'malformed'
  | 'over_budget'
  | 'aborted'

const MAY_PASS: ReadonlySet<ModelFailure> = new Set(['busy', 'unavailable', 'timeout', 'cut_off', 'malformed'])

type Details = { status?: number; retryAfterMs?: number | null; cause?: unknown }

/** The only error thrown by this folder. Its message is for the operator's log and never contains the key. */
export class ModelError extends Error {
  override name = 'ModelError'
  readonly failure: ModelFailure
  /** HTTP status of the provider's answer, or null without one. */
  readonly status: number | null
  /** Delay requested by the provider. */
  readonly retryAfterMs: number | null

  constructor(failure: ModelFailure, message: string, { status, retryAfterMs, cause }: Details = {}) {
    super(message, cause === undefined ? {} : { cause })
    this.failure = failure
    this.status = status ?? null
    this.retryAfterMs = retryAfterMs ?? null
  }

  /** True if a retry of the same request may succeed. */
  get mayPass(): boolean {
    return MAY_PASS.has(this.failure)
  }
}
