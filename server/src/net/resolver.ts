import { type LookupAddress, promises as dns } from 'node:dns'
import { isIP } from 'node:net'
import { createFairLimiter } from '#lib/limits/fair-limiter.ts'

/** Milliseconds per name, for both address families together. A host without an answer counts as unknown. */
const LOOKUP_MS = 5_000

/** Milliseconds for a name to wait and be looked up, so that dead names of others delay nobody for long. */
const TURN_MS = 10_000

/** Concurrent names per account, and in total: eight accounts with dead names leave room for the next. */
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
async function askNameServers(host: string, signal: AbortSignal, servers: readonly string[] | undefined) {
  const resolver = new dns.Resolver({ timeout: LOOKUP_MS / 2, tries: 2 })
  if (servers) resolver.setServers(servers)
  const cancel = () => resolver.cancel()
  const timer = setTimeout(cancel, LOOKUP_MS)
  signal.addEventListener('abort', cancel, { once: true })
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  clearTimeout(timer)
  signal.removeEventListener('abort', cancel)
  signal.throwIfAborted()
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  const isAnswered = !answers.some((answer) => answer.status === 'rejected' && NO_ANSWER.has(answer.reason.code))
  return found.length > 0 || isAnswered ? found.map((address) => ({ address, family: isIP(address) })) : null
}

/** For one question. The answers are in the cache of every name server of the internet. */
const ANSWER_MS = 1_500
/** An answer is used again for this time, because a crawl can meet many unknown names. */
const KEPT_MS = 30_000
/** The root and the largest zone. Some resolvers refuse questions about the root. */
const ZONES = ['.', 'com']

/**
 * Creates the question whether the name servers of this machine know names of the internet. Those of a machine without
 * network, or of a closed network, call every name unknown, so that only this tells a wrong name from a missing network.
 */
export function createInternetCheck(servers?: readonly string[]): () => Promise<boolean> {
  let known: { at: number; answer: Promise<boolean> } | null = null
  return () => {
    const now = performance.now()
    if (known === null || now - known.at > KEPT_MS) known = { at: now, answer: ask(servers) }
    return known.answer
  }
}

async function ask(servers: readonly string[] | undefined): Promise<boolean> {
  const resolver = new dns.Resolver({ timeout: ANSWER_MS, tries: 1 })
  if (servers) resolver.setServers(servers)
  const answers = await Promise.allSettled(ZONES.map((zone) => resolver.resolveNs(zone)))
  return answers.some((answer) => answer.status === 'fulfilled' && answer.value.length > 0)
}
