import { GiveUp } from '#jobs/errors.ts'
import { NetError } from '#net/net-error.ts'
import { UpstreamError } from '#upstream/upstream-error.ts'

/**
 * Converts permanent errors to `GiveUp` with the same message, so that the job is not retried: refused addresses,
 * invalid responses and refused credentials. Timeouts are included, to avoid four more waits for the same host.
 */
export function asFinalFailure(error: unknown): unknown {
  if (error instanceof NetError && error.reason !== 'aborted' && (!error.transient || error.reason === 'timeout')) {
    return new GiveUp(error.message, { cause: error })
  }
  if (error instanceof UpstreamError && error.reason !== 'failed') return new GiveUp(error.message, { cause: error })
  return error
}
