import ipaddr from 'ipaddr.js'
import { elementAt } from '#lib/element-at.ts'
import { includesAddress, type Networks, parseNetworks } from './networks.ts'

/**
 * `public` is reachable by anyone, `allowed` was permitted by the operator. Other verdicts name the reason for refusal.
 */
export type AddressVerdict = { verdict: 'public' | 'allowed' } | { verdict: 'forbidden'; range: string }

const PUBLIC: AddressVerdict = { verdict: 'public' }
const ALLOWED: AddressVerdict = { verdict: 'allowed' }

/** All globally routed IPv6 space (RFC 4291, IANA's table). The rest is special or unassigned. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Cloud metadata endpoints, which hand out credentials and which no setting allows: all of link-local (169.254.169.254
 * nearly everywhere; AWS also .170.2 and .170.23, Tencent .0.23, Scaleway .42.42; fe80::a9fe:a9fe), and the documented
 * provider addresses outside of it.
 */
const METADATA = parseNetworks(
  [
    '169.254.0.0/16, fe80::/10',
    '100.100.100.200', // Alibaba Cloud
    '192.0.0.192', // Oracle Cloud, classic
    '168.63.129.16', // Azure, on an address that looks public
    'fd00:ec2::/32', // AWS: metadata ::254, container credentials ::23
    'fd20:ce::254', // Google Cloud
    'fd00:c1::a9fe:a9fe', // Oracle Cloud
    'fd00:42::42', // Scaleway
  ].join(','),
)

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
