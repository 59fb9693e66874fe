import { availableParallelism } from 'node:os'
import { createFairLimiter } from '#lib/fair-limiter.ts'
import { verifyPassword } from './password.ts'

/** Each takes a core for some 30 ms and 19 MiB, so that guesses take a quarter of the machine at most. */
const CORES_FOR_EACH = 4

/** Checks of one network that may wait; a person waits for one. */
const MAX_WAITING = 10

export type CheckPassword = (
  password: string,
  stored: string,
  by: { network: string; signal: AbortSignal },
) => Promise<boolean>

/**
 * Makes the check of passwords at sign-in. Checks are bounded in concurrency, and the networks that ask take turns, so
 * that guesses from many cost no more than others' time. Throws `LimiterFullError`, and the signal's reason.
 */
export function createPasswordChecks(verify = verifyPassword, cores = availableParallelism()): CheckPassword {
  const atOnce = Math.max(1, Math.floor(cores / CORES_FOR_EACH))
  const limiter = createFairLimiter({ atOnce, perKey: 1, maxWaiting: MAX_WAITING })
  return (password, stored, { network, signal }) => limiter.run(network, () => verify(password, stored), signal)
}
