import { availableParallelism } from 'node:os'
import { createFairLimiter } from '#lib/limits/fair-limiter.ts'
import { verifyPassword } from './password.ts'

/** A check takes one core for about 30 ms, and 19 MiB. Guesses use at most a quarter of the machine. */
const CORES_FOR_EACH = 4

/** Maximum waiting checks per network. A person needs one. */
const MAX_WAITING = 10

export type CheckPassword = (
  password: string,
  stored: string,
  by: { network: string; signal: AbortSignal },
) => Promise<boolean>

/**
 * Creates the password check for sign-in. Bounds concurrency and alternates between networks, so that mass guessing
 * costs others little time. Throws `LimiterFullError` and the signal's reason.
 */
export function createPasswordChecks(verify = verifyPassword, cores = availableParallelism()): CheckPassword {
  const atOnce = Math.max(1, Math.floor(cores / CORES_FOR_EACH))
  const limiter = createFairLimiter({ atOnce, perKey: 1, maxWaiting: MAX_WAITING })
  return (password, stored, { network, signal }) => limiter.run(network, () => verify(password, stored), signal)
}
