import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { availableParallelism } from 'node:os'
import { createFairLimiter } from '#lib/limits/fair-limiter.ts'

const derive = promisify(argon2)

/** RFC 9106's second recommended option, scaled to a web service: 19 MiB, two passes (OWASP's minimum). */
const COST = { parallelism: 1, tagLength: 32, memory: 19_456, passes: 2 } as const

/** Argon2id as `argon2id$<salt>$<tag>`, both base64. Takes about 30 ms, off the main thread. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await derive('argon2id', { ...COST, message: password, nonce })
  return `argon2id$${nonce.toString('base64')}$${tag.toString('base64')}`
}

async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const [, salt = '', tag = ''] = stored.split('$')
  const expected = Buffer.from(tag, 'base64')
  const actual = await derive('argon2id', { ...COST, message: password, nonce: Buffer.from(salt, 'base64') })
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}

/** A hash that no password matches. Checking it makes unknown accounts take as long as known ones. */
export const NOBODYS_HASH = `argon2id$${Buffer.alloc(16).toString('base64')}$${Buffer.alloc(32).toString('base64')}`

/** A check takes one core for about 30 ms, and 19 MiB. Guesses use at most a quarter of the machine. */
const CORES_FOR_EACH = 4

/** Maximum waiting checks per network. A person needs one. */
const MAX_WAITING = 10

export type CheckPassword = (
  password: string,
  stored: string,
  by: { network: string; signal: AbortSignal },
) => Promise<boolean>

/** Checks passwords, with networks in turn, so that mass guessing costs others little. Throws `LimiterFullError`. */
export function createPasswordChecks(verify = verifyPassword, cores = availableParallelism()): CheckPassword {
  const atOnce = Math.max(1, Math.floor(cores / CORES_FOR_EACH))
  const limiter = createFairLimiter({ atOnce, perKey: 1, maxWaiting: MAX_WAITING })
  return (password, stored, { network, signal }) => limiter.run(network, () => verify(password, stored), signal)
}
