import { type LookupAddress, promises as dns, lookup as systemLookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { abortable } from './abortable.ts'
import { checkUrl } from './check-url.ts'
import { judgeAddress } from './judge-address.ts'
import { NetError } from './net-error.ts'
import type { Networks } from './networks.ts'

/**
 * Names that mean this machine or this site whatever a resolver says: RFC 6761 (localhost), RFC 6762 (.local),
 * RFC 8375 (.home.arpa), ICANN's .internal, and what distributions and clusters put into hosts files.
 */
const LOCAL_NAME = /(?:^|\.)(?:localhost|localdomain|local|internal|home\.arpa|svc)$|^ip6-(?:localhost|loopback)$/

/** How long a name may take to resolve when an operation asks; a host that does not answer is treated as unknown. */
const LOOKUP_TIMEOUT_MS = 5_000

export type Admission = { usable: LookupAddress[]; refusal: null } | { usable: null; refusal: NetError }

/**
 * Decides which of a host's addresses may be connected to. One forbidden address refuses the whole name, because
 * which of them gets used would be the resolver's choice; but a name that leads into an allowed network is used
 * there, and only there. The refusal is a `NetError` `blocked_address`.
 */
export function admitAddresses(host: string, addresses: LookupAddress[], networks: Networks): Admission {
  const judged = addresses.map((address) => ({ address, ...judgeAddress(address.address, networks) }))
  const allowed = judged.filter(({ verdict }) => verdict === 'allowed').map(({ address }) => address)
  if (allowed.length > 0) return { usable: allowed, refusal: null }
  if (isLocalName(host)) return refuse(host, 'a name of this machine or network')
  const forbidden = judged.find((one) => one.verdict === 'forbidden')
  if (forbidden) return refuse(host, `${forbidden.address.address}, ${forbidden.range}`)
  return { usable: addresses, refusal: null }
}

/** Why a host is refused before any look-up: an address literal, or a local name that no network could allow. */
export function refuseHost(host: string, networks: Networks): NetError | null {
  const literal = bare(host)
  const family = isIP(literal)
  if (family !== 0) return admitAddresses(host, [{ address: literal, family }], networks).refusal
  return networks.length === 0 ? admitAddresses(host, [], networks).refusal : null
}

/**
 * A look-up for sockets that hands out checked addresses only. What is checked here is what is connected to, so a
 * name that resolves differently a moment later gains nothing.
 */
export function guardedLookup(networks: Networks): LookupFunction {
  return (host, options, callback) => {
    systemLookup(host, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '', 0)
      const { usable, refusal } = admitAddresses(host, addresses, networks)
      if (refusal) return callback(refusal, '', 0)
      const first = usable[0]
      if (options.all === true || !first) callback(null, usable)
      else callback(null, first.address, first.family)
    })
  }
}

/**
 * True when a URL leads to a private or internal address, by its text or by what its host resolves to now. For
 * answering early and in words; the socket is guarded by itself. An unresolvable host is not private.
 * Throws `NetError`: `invalid_url`, or `aborted`.
 */
export async function resolvesToPrivate(text: string, networks: Networks, signal?: AbortSignal): Promise<boolean> {
  const { hostname } = checkUrl(text)
  if (refuseHost(hostname, networks)) return true
  if (isIP(bare(hostname)) !== 0) return false
  return admitAddresses(hostname, await resolve(hostname, signal), networks).refusal !== null
}

async function resolve(host: string, signal?: AbortSignal): Promise<LookupAddress[]> {
  const stop = AbortSignal.any([AbortSignal.timeout(LOOKUP_TIMEOUT_MS), ...(signal ? [signal] : [])])
  try {
    return await abortable(dns.lookup(host, { all: true }), stop)
  } catch (error) {
    if (signal?.aborted) throw error
    return []
  }
}

function isLocalName(host: string): boolean {
  return LOCAL_NAME.test(host.toLowerCase().replace(/\.$/, ''))
}

/** A hostname of a URL without the brackets around an IPv6 literal. */
function bare(host: string): string {
  return host.startsWith('[') ? host.slice(1, -1) : host
}

function refuse(host: string, why: string): Admission {
  const refusal = new NetError(
    'blocked_address',
    `${host} leads to a private or internal network (${why}), which is not fetched. ` +
      'The operator can allow a network with DOCENT_ALLOW_NETWORKS.',
  )
  return { usable: null, refusal }
}
