import { promises as dns } from 'node:dns'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'

/** A listening endpoint of the service. `host` is a name or an address; null means every address of this machine. */
export type OwnEndpoint = { host: string | null; port: number }

/**
 * True if one of `addresses` with `port` is an endpoint of the service itself: its HTTP listener or its database. Those
 * are never fetched, whatever networks the operator allows.
 */
export async function isOwnEndpoint(
  addresses: readonly string[],
  port: number,
  endpoints: readonly OwnEndpoint[],
): Promise<boolean> {
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
export function namesOwnListener(
  { hostname, port, protocol }: URL,
  { hosts, ports }: { hosts: readonly string[]; ports: readonly number[] },
): boolean {
  if (!ports.includes(port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port))) return false
  const host = nameOf(hostname)
  return isLoopback(host) || hosts.some((own) => nameOf(own) === host)
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
