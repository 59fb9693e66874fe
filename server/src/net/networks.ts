import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** An invalid entry in the operator's list of networks. The message is a sentence for the operator. */
export class NetworksError extends Error {
  override name = 'NetworksError'
}

/** Non-public networks that may be reached. Created by `parseNetworks`. */
export type Networks = readonly (readonly [Address, number])[]

/**
 * Parses a list of networks such as `127.0.0.0/8, ::1, 10.1.0.0/16`, separated by commas or white space. A bare address
 * is a network of one. Throws `NetworksError` with the first invalid entry.
 */
export function parseNetworks(text: string): Networks {
  return text
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .map(parseNetwork)
}

export function includesAddress(networks: Networks, address: Address): boolean {
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
