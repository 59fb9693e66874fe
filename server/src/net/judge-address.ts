import { promises as dns } from 'node:dns'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'
import { elementAt } from '#lib/arrays.ts'
import metadataNetworks from './metadata-networks.json' with { type: 'json' }

/** `public` is reachable by anyone, `allowed` was permitted by the operator. Others name the reason for refusal. */
export type AddressVerdict = { verdict: 'public' | 'allowed' } | { verdict: 'forbidden'; range: string }

const PUBLIC: AddressVerdict = { verdict: 'public' }
const ALLOWED: AddressVerdict = { verdict: 'allowed' }

/** All globally routed IPv6 space (RFC 4291, IANA's table). The rest is special or unassigned. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/** An invalid entry in the operator's list of networks. The message is a sentence for the operator. */
export class NetworksError extends Error {
  override name = 'NetworksError'
}

/**
 * Cloud metadata endpoints, which hand out credentials and which no setting allows: all of link-local (169.254.169.254
 * nearly everywhere; AWS also .170.2 and .170.23, Tencent .0.23, Scaleway .42.42; fe80::a9fe:a9fe), and the documented
 * provider addresses outside of it.
 */
const METADATA = parseNetworks(Object.values(metadataNetworks).flat().join(','))

/** Non-public networks that may be reached. Created by `parseNetworks`. */
export type Networks = readonly (readonly [Address, number])[]

/**
 * Judges whether an address from a look-up or a URL may be connected to. Only global unicast is public. An IPv6 form
 * with an embedded IPv4 address (mapped, NAT64, 6to4, Teredo, ISATAP …) is never better than that address, because a
 * gateway may unwrap it. Even inside an allowed network the inner address must pass.
 */
export function judgeAddress(text: string, networks: Networks): AddressVerdict {
  if (!ipaddr.isValid(text)) return forbidden('not an address')
  // Converts mapped addresses to the IPv4 address that the operating system would connect to.
  const address = ipaddr.process(text)
  return address instanceof ipaddr.IPv4 ? judgeIPv4(address, networks) : judgeIPv6(address, networks)
}

function judgeIPv4(address: ipaddr.IPv4, networks: Networks): AddressVerdict {
  if (includesAddress(METADATA, address)) return forbidden('cloud metadata')
  if (includesAddress(networks, address)) return ALLOWED
  const range = address.range()
  return range === 'unicast' ? PUBLIC : forbidden(range)
}

function judgeIPv6(address: ipaddr.IPv6, networks: Networks): AddressVerdict {
  for (const inner of embeddedIPv4(address)) {
    const verdict = judgeIPv4(inner, networks)
    if (verdict.verdict === 'forbidden') return forbidden(`${verdict.range} inside IPv6`)
  }
  if (includesAddress(METADATA, address)) return forbidden('cloud metadata')
  if (includesAddress(networks, address)) return ALLOWED
  const range = address.range()
  if (range !== 'unicast') return forbidden(range)
  return address.match(GLOBAL_UNICAST) ? PUBLIC : forbidden('reserved')
}

/** The IPv4 addresses that translators and tunnels may unwrap from an IPv6 address. */
function embeddedIPv4(address: ipaddr.IPv6): ipaddr.IPv4[] {
  const parts = address.parts
  const at = (index: number, mask = 0): ipaddr.IPv4 => {
    const high = elementAt(parts, index) ^ mask
    const low = elementAt(parts, index + 1) ^ mask
    return new ipaddr.IPv4([high >> 8, high & 0xff, low >> 8, low & 0xff])
  }
  switch (address.range()) {
    case '6to4': // RFC 3056: 2002:AABB:CCDD::
      return [at(1)]
    case 'teredo': // RFC 4380: server, then the client's address, inverted
      return [at(2), at(6, 0xffff)]
    case 'rfc6052': // NAT64, RFC 6052 and RFC 8215
    case 'rfc6145': // SIIT, ::ffff:0:a.b.c.d
      return [at(6)]
  }
  // ISATAP, RFC 5214: an interface identifier of [02]00:5efe and the IPv4 address.
  if ((elementAt(parts, 4) & 0xfdff) === 0 && parts[5] === 0x5efe) return [at(6)]
  // IPv4-compatible, RFC 4291: ::a.b.c.d, except :: and ::1, which have separate meanings.
  const compatible =
    parts.slice(0, 6).every((part) => part === 0) && (elementAt(parts, 6) !== 0 || elementAt(parts, 7) > 1)
  return compatible ? [at(6)] : []
}

function forbidden(range: string): AddressVerdict {
  return { verdict: 'forbidden', range }
}

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** Parses networks such as `127.0.0.0/8, ::1`, a bare address as a network of one. Throws `NetworksError`. */
export function parseNetworks(text: string): Networks {
  return text
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .map(parseNetwork)
}

function includesAddress(networks: Networks, address: Address): boolean {
  return networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits))
}

function parseNetwork(entry: string): [Address, number] {
  // Four-part decimal only: few expect the meaning of `127.1/8` or `010.0.0.0/8`.
  if (ipaddr.IPv4.isValidCIDRFourPartDecimal(entry)) return ipaddr.IPv4.parseCIDR(entry)
  if (ipaddr.IPv4.isValidFourPartDecimal(entry)) return [ipaddr.IPv4.parse(entry), 32]
  if (ipaddr.IPv6.isValidCIDR(entry)) return ipaddr.IPv6.parseCIDR(entry)
  if (ipaddr.IPv6.isValid(entry)) return [ipaddr.IPv6.parse(entry), 128]
  throw new NetworksError(
    `DOCENT_ALLOW_NETWORKS: "${entry}" is not a network. Write networks like 10.0.0.0/8 or fd00::/8, separated by commas.`,
  )
}

/** All addresses. Only for targets set by the operator, never for user input. */
export const EVERYWHERE: Networks = parseNetworks('0.0.0.0/0, ::/0')

/** A listening endpoint of the service. `host` is a name or an address; null means every address of this machine. */
export type OwnEndpoint = { host: string | null; port: number }

/** True for the service's own HTTP listener or database. Those are never fetched, whatever the operator allows. */
export async function isOwnEndpoint(addresses: readonly string[], port: number, endpoints: readonly OwnEndpoint[]) {
  const here = endpoints.filter((endpoint) => endpoint.port === port)
  if (here.length === 0) return false
  const asked = addresses.map((address) => toTarget(address))
  for (const { host } of here) {
    const own = host === null ? [LOCAL] : (await addressesOf(host)).map((address) => toTarget(address))
    if (asked.some((target) => own.includes(target))) return true
  }
  return false
}

/**
 * True if a URL names the service's HTTP listener by its text: a loopback name or address, or one of `hosts`, at one of
 * `ports`. Does no look-up, and says nothing about other names and addresses of this machine, which could be secret.
 */
export function namesOwnListener(url: URL, { hosts, ports }: { hosts: readonly string[]; ports: readonly number[] }) {
  if (!ports.includes(portOf(url))) return false
  const host = nameOf(url.hostname)
  return isLoopback(host) || hosts.some((own) => nameOf(own) === host)
}

/** The port of a request to the URL. */
export function portOf({ port, protocol }: Pick<URL, 'port' | 'protocol'>): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
}

/** A host without the brackets of an IPv6 literal, the final dot, and differences in case. */
function nameOf(host: string): string {
  const bare = host.replace(/^\[|\]$|\.$/g, '').toLowerCase()
  return normalize(bare) ?? bare
}

/** RFC 6761: names below `localhost` are loopback as well. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || toTarget(host, new Set()) === LOCAL
}

const LOCAL = 'this machine'

/** Treats all addresses of this machine as the same target. */
function toTarget(text: string, interfaces = interfaceAddresses()): string {
  const address = normalize(text)
  if (address === null) return text
  const range = ipaddr.parse(address).range()
  if (range === 'loopback' || range === 'unspecified' || address.startsWith('0.')) return LOCAL
  return interfaces.has(address) ? LOCAL : address
}

function interfaceAddresses(): Set<string> {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  return new Set(all.flatMap(({ address }) => normalize(address) ?? []))
}

/** Normalizes an address. An IPv4 address inside IPv6 becomes the IPv4 address. */
function normalize(text: string): string | null {
  const [address = ''] = text.split('%')
  return isIP(address) === 0 ? null : ipaddr.process(address).toString()
}

/** An unresolvable host cannot be reached by its name. */
async function addressesOf(host: string): Promise<string[]> {
  if (isIP(host) !== 0) return [host]
  const found = await dns.lookup(host, { all: true }).catch(() => [])
  return found.map(({ address }) => address)
}
