/**
 * Why a model gave no answer. Closed: `busy` (rate limit or overload), `unavailable` (not reached, or an error of its
 * own), `timeout`, `cut_off` (the stream ended early) and `malformed` may pass; `refused` (key, model or request is not
 * accepted), `over_budget` and `aborted` will not.
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

/** The only error that leaves this folder. Its message is for the operator's log and never holds the key. */
export class ModelError extends Error {
  override name = 'ModelError'
  readonly failure: ModelFailure
  /** Of the provider's answer, where there was one. */
  readonly status: number | null
  /** How long the provider asks to wait. */
  readonly retryAfterMs: number | null

  constructor(failure: ModelFailure, message: string, { status, retryAfterMs, cause }: Details = {}) {
    super(message, cause === undefined ? {} : { cause })
    this.failure = failure
    this.status = status ?? null
    this.retryAfterMs = retryAfterMs ?? null
  }

  /** Whether the same request may succeed a moment later. */
  get mayPass(): boolean {
    return MAY_PASS.has(this.failure)
  }
}
