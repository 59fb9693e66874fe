import { GiveUp } from '#jobs/errors.ts'
import { NetError } from '#net/net-error.ts'
import { UpstreamError } from '#upstream/upstream-error.ts'

/**
 * The error of a reading as its job is to see it: `GiveUp` with the same sentence where another attempt would end the
 * same way. Refused addresses, invalid answers and refused credentials do; a host that was waited for in vain (`timeout`)
 * is not asked four times more.
 */
export function asFinalFailure(error: unknown): unknown {
  if (error instanceof NetError && error.reason !== 'aborted' && (!error.transient || error.reason === 'timeout')) {
    return new GiveUp(error.message, { cause: error })
  }
  if (error instanceof UpstreamError && error.reason !== 'failed') return new GiveUp(error.message, { cause: error })
  return error
}
