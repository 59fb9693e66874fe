import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** The operator listed something that is no network; the sentence is for the operator. */
export class NetworksError extends Error {
  override name = 'NetworksError'
}

/** Networks that may be reached although they are not public. Made by `parseNetworks`. */
export type Networks = readonly (readonly [Address, number])[]

/**
 * Reads a list of networks such as `127.0.0.0/8, ::1, 10.1.0.0/16`, separated by commas or white space. A bare
 * address stands for itself alone. Throws `NetworksError`, which names the first entry that is not a network.
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
  // Four-part decimal only: `127.1/8` or `010.0.0.0/8` would be read in a way that few expect.
  if (ipaddr.IPv4.isValidCIDRFourPartDecimal(entry)) return ipaddr.IPv4.parseCIDR(entry)
  if (ipaddr.IPv4.isValidFourPartDecimal(entry)) return [ipaddr.IPv4.parse(entry), 32]
  if (ipaddr.IPv6.isValidCIDR(entry)) return ipaddr.IPv6.parseCIDR(entry)
  if (ipaddr.IPv6.isValid(entry)) return [ipaddr.IPv6.parse(entry), 128]
  throw new NetworksError(
    `DOCENT_ALLOW_NETWORKS: "${entry}" is not a network. Write networks like 10.0.0.0/8 or fd00::/8, separated by commas.`,
  )
}

/** Every address there is: for addresses that the operator of the service has set, and for nothing that users give. */
export const EVERYWHERE: Networks = parseNetworks('0.0.0.0/0, ::/0')
