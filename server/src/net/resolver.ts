import { type LookupAddress, Resolver } from 'node:dns'
import { isIP } from 'node:net'
import { createFairLimiter } from '#lib/limits/fair-limiter.ts'

/** Milliseconds per name, for both address families together. A host without an answer counts as unknown. */
const LOOKUP_MS = 5_000

/** Milliseconds for a name to wait and be looked up, so that dead names of others delay nobody for long. */
const TURN_MS = 10_000

/**
 * Concurrent names per account, and in total. An honest request has a few hosts, which take milliseconds each. Eight
 * accounts with dead names still leave room for the next within `LOOKUP_MS`.
 */
const PER_ACCOUNT = 2
const AT_ONCE = 16

/** Waiting names per account: several of the largest requests (`MAX_SOURCES`) at a time. */
const MAX_WAITING = 500

/** Null: no answer in time, so asking again would take as long. An unknown name has no addresses. */
export type Resolve = (
  host: string,
  options: { account: string; signal?: AbortSignal | undefined },
) => Promise<LookupAddress[] | null>

/** Errors of dead name servers, or of those that cannot reach the domain's. Any other error is an answer. */
const NO_ANSWER = new Set(['ETIMEOUT', 'ECANCELLED', 'ESERVFAIL'])

/**
 * Creates the look-up for addresses in account input, before anything is fetched. It queries name servers directly and
 * uses no thread, so that dead names cannot block socket look-ups, which share a small thread pool. Accounts alternate.
 * A look-up ends with its signal and then throws the signal's reason. The hosts file is not read; sockets do that,
 * behind the guard.
 */
export function createResolver(servers?: readonly string[]): Resolve {
  const limiter = createFairLimiter({ atOnce: AT_ONCE, perKey: PER_ACCOUNT, maxWaiting: MAX_WAITING })
  return async (host, { account, signal }) => {
    if (/(?:^|\.)localhost\.?$/i.test(host)) return LOOPBACK
    const ends = AbortSignal.any([AbortSignal.timeout(TURN_MS), ...(signal ? [signal] : [])])
    try {
      return await limiter.run(account, () => askNameServers(host, ends, servers), ends)
    } catch {
      signal?.throwIfAborted()
      return null
    }
  }
}

/** RFC 6761, section 6.3: resolvers answer these names themselves. */
const LOOPBACK: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

/** Addresses of either family. Null if there are none and one was not answered. Rejects only if `signal` aborts. */
async function askNameServers(
  host: string,
  signal: AbortSignal,
  servers: readonly string[] | undefined,
): Promise<LookupAddress[] | null> {
  const resolver = new Resolver({ timeout: LOOKUP_MS / 2, tries: 2 })
  if (servers) resolver.setServers(servers)
  const { promise, resolve, reject } = Promise.withResolvers<LookupAddress[] | null>()
  const found: LookupAddress[] = []
  let open = 2
  let isAnswered = true
  const note = (error: NodeJS.ErrnoException | null, addresses: string[] | undefined) => {
    found.push(...(addresses ?? []).map((address) => ({ address, family: isIP(address) })))
    if (NO_ANSWER.has(error?.code ?? '')) isAnswered = false
    if (--open === 0) resolve(found.length > 0 || isAnswered ? found : null)
  }
  const cancel = () => resolver.cancel()
  const stop = () => {
    reject(signal.reason)
    cancel()
  }
  const timer = setTimeout(cancel, LOOKUP_MS)
  signal.addEventListener('abort', stop, { once: true })
  try {
    resolver.resolve4(host, note)
    resolver.resolve6(host, note)
    return await promise
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
  }
}
