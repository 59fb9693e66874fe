import { isIP, isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Smallest prefix of an IPv6 subscriber (RFC 6177), who can call from any address within it. */
const IPV6_PREFIX = 64

/** An address with a port, as some proxies write into X-Forwarded-For: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
const WITH_PORT = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d+)?$/

/** One client for rate limits: an IPv4 address, also inside IPv6 (RFC 6052, RFC 6145), a /64, or any other text. */
export function clientNetwork(text: string): string {
  if (isIPv4(text)) return text
  const [, bracketed, dotted] = WITH_PORT.exec(text) ?? []
  const [address = ''] = (bracketed ?? dotted ?? text).split('%')
  if (isIP(address) === 0) return text
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  const range = parsed.range()
  if (range === 'rfc6052' || range === 'rfc6145') return new ipaddr.IPv4(parsed.toByteArray().slice(12)).toString()
  return prefixOf(parsed.toString(), IPV6_PREFIX)
}

/** IPv6 prefixes that a provider gives to one site (RFC 6177), and how many times the limit of a /64 they may use. */
const STEPS = [
  [56, 4],
  [48, 16],
] as const

/** The networks to count a client in, by its `clientNetwork`, and the multiple of the limit that each may use. */
export function networkSteps(network: string): { network: string; times: number }[] {
  const own = { network, times: 1 }
  if (!network.endsWith(`::/${IPV6_PREFIX}`)) return [own]
  const wider = STEPS.map(([prefix, times]) => ({ network: prefixOf(network.slice(0, -3), prefix), times }))
  return [own, ...wider]
}

const prefixOf = (address: string, prefix: number): string =>
  `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/${prefix}`).toString()}/${prefix}`

/** The host of an address that a browser can open: loopback for the wildcard address, brackets around IPv6. */
export function openableHost(host: string): string {
  if (host === '0.0.0.0' || host === '::' || host === '') return '127.0.0.1'
  return isIP(host) === 6 ? `[${host}]` : host
}
