import { type LookupAddress, promises as dns } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { callbackify } from 'node:util'
import { createFairLimiter } from '#lib/limits/fair-limiter.ts'
import { judgeAddress, type Networks, type OwnEndpoint, isOwnEndpoint, portOf } from './judge-address.ts'
import { NetError } from './net-error.ts'
import { createInternetCheck } from './resolver.ts'

/** Local names: RFC 6761, RFC 6762 (.local), RFC 8375 (.home.arpa), ICANN's .internal, and those of hosts files. */
const LOCAL_NAME = /(?:^|\.)(?:localhost|localdomain|local|internal|home\.arpa|svc)$|^ip6-(?:localhost|loopback)$/

/** Maximum wait for a socket's look-up to begin, equal to the connection timeout (`connectMs`). */
const SOCKET_TURN_MS = 10_000

export type Guard = {
  /** Private networks that are reachable nevertheless. */
  networks: Networks
  /** The service's own endpoints, refused within those networks as well. Evaluated for each connection. */
  ownEndpoints?: (() => readonly OwnEndpoint[]) | undefined
  lookupsAtOnce?: number | undefined
  /** Whether the name servers of this machine know names of the internet. */
  knowsInternet?: (() => Promise<boolean>) | undefined
}

export type Admission = { usable: LookupAddress[]; refusal: null } | { usable: null; refusal: NetError }

/**
 * Decides which addresses of a host may be connected to. One forbidden address refuses the whole name, because the
 * resolver would choose which one is used. If a name leads into an allowed network, only the addresses there are used.
 * The refusal is a `NetError` `blocked_address`.
 */
export function admitAddresses(host: string, addresses: LookupAddress[], networks: Networks): Admission {
  const judged = addresses.map((address) => ({ address, ...judgeAddress(address.address, networks) }))
  const allowed = judged.filter(({ verdict }) => verdict === 'allowed').map(({ address }) => address)
  if (allowed.length > 0) return { usable: allowed, refusal: null }
  if (isLocalName(host) || judged.some(({ verdict }) => verdict === 'forbidden')) return refused()
  return { usable: addresses, refusal: null }
}

/** Refuses a host before any look-up: an address literal, or a local name that no network could allow. */
export function refuseHost(host: string, networks: Networks): NetError | null {
  const literal = bare(host)
  const family = isIP(literal)
  if (family !== 0) return admitAddresses(host, [{ address: literal, family }], networks).refusal
  return networks.length === 0 ? admitAddresses(host, [], networks).refusal : null
}

/** Returns the allowed addresses of a host at `port`, or the refusal. */
async function admit(host: string, addresses: LookupAddress[], port: number, guard: Guard): Promise<Admission> {
  const admission = admitAddresses(host, addresses, guard.networks)
  const own = admission.usable && guard.ownEndpoints?.()
  if (!own) return admission
  const usable = admission.usable.map(({ address }) => address)
  return (await isOwnEndpoint(usable, port, own)) ? refused() : admission
}

export type SocketLookup = (port: number) => LookupFunction

/**
 * DNS look-ups for sockets that return only checked addresses. The checked address is the connected one, so DNS
 * rebinding has no effect. Names of one domain are looked up one at a time: a domain with dead name servers blocks one
 * thread of the pool, not all.
 */
export function guardedLookup(guard: Guard): SocketLookup {
  const knowsInternet = guard.knowsInternet ?? createInternetCheck()
  const limiter = createFairLimiter({ atOnce: guard.lookupsAtOnce ?? Infinity, perKey: 1, maxWaiting: Infinity })
  const lookUp = async (host: string, options: object) => {
    const turn = AbortSignal.timeout(SOCKET_TURN_MS)
    try {
      return await limiter.run(domainOf(host), () => dns.lookup(host, { ...options, all: true }), turn)
    } catch (cause) {
      if (!turn.aborted || cause !== turn.reason)
        throw (await isOffline(host, cause, knowsInternet)) ? offlineError(cause) : cause
      throw Object.assign(new Error('The look-up had no turn in time', { cause }), { code: 'EAI_AGAIN' })
    }
  }
  const find = callbackify(async (host: string, options: object, port: number) => {
    const { usable, refusal } = await admit(host, await lookUp(host, options), port, guard)
    if (refusal) throw refusal
    return usable
  })
  return (port) => (host, options, callback) => {
    find(host, options, port, (error, usable) => {
      const first = usable?.[0]
      if (error) callback(error, '', 0)
      else if (options.all === true || !first) callback(null, usable)
      else callback(null, first.address, first.family)
    })
  }
}

/** Refuses an address literal at `port` within an allowed network. Null for names, which are looked up. */
export async function refuseLiteral(host: string, port: number, guard: Guard): Promise<NetError | null> {
  const address = bare(host)
  const family = isIP(address)
  return family === 0 ? null : (await admit(host, [{ address, family }], port, guard)).refusal
}

type LookUp = (host: string) => Promise<LookupAddress[]>

/**
 * Explains why a URL must not be fetched, by its text or its host's current addresses, or returns null. This gives
 * early and readable errors; the socket guard checks independently. Unresolvable hosts are not refused. Throws the
 * errors of `lookUp`.
 */
export async function refusalOf(url: URL, guard: Guard, lookUp: LookUp): Promise<NetError | null> {
  const { hostname } = url
  const refusal = refuseHost(hostname, guard.networks)
  if (refusal) return refusal
  const port = portOf(url)
  if (isIP(bare(hostname)) !== 0) return refuseLiteral(hostname, port, guard)
  return (await admit(hostname, await lookUp(hostname), port, guard)).refusal
}

function isLocalName(host: string): boolean {
  return LOCAL_NAME.test(host.toLowerCase().replace(/\.$/, ''))
}

/** True for an unknown name, if the name server does not know the internet either. */
async function isOffline(host: string, cause: unknown, knowsInternet: () => Promise<boolean>): Promise<boolean> {
  const isUnknown = cause instanceof Error && 'code' in cause && cause.code === 'ENOTFOUND'
  return isUnknown && !NEVER_EXISTING.test(host) && !(await knowsInternet())
}

/** Reserved names that no name server knows (RFC 2606, RFC 6761). */
const NEVER_EXISTING = /(?:^|\.)(?:test|example|invalid|localhost)\.?$/i

const offlineError = (cause: unknown): Error =>
  Object.assign(new Error('No name of the internet is known', { cause }), { code: 'NO_INTERNET' })

/** The last two labels, which approximate the registered domain and its name servers. */
function domainOf(host: string): string {
  return host.toLowerCase().replace(/\.$/, '').split('.').slice(-2).join('.')
}

function bare(host: string): string {
  return host.startsWith('[') ? host.slice(1, -1) : host
}

/** The same sentence for every refusal, which reveals neither resolved addresses nor redirect targets. */
function refused(): Admission {
  const refusal = new NetError(
    'blocked_address',
    'The address leads to a private or internal network, which is not fetched. ' +
      'The operator can allow a network with DOCENT_ALLOW_NETWORKS.',
  )
  return { usable: null, refusal }
}
