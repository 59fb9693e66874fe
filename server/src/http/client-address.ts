import type { IncomingMessage } from 'node:http'
import { clientNetwork } from '#lib/addresses/client-network.ts'

/**
 * The network of a request, as counted by rate limits (`clientNetwork`). Each trusted proxy appends the address it saw
 * to X-Forwarded-For, so the caller is that many entries from the end. Earlier entries can be forged.
 */
export function clientAddress(
  { socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>,
  trustedProxies: number,
): string {
  const peer = socket.remoteAddress ?? 'unknown'
  if (trustedProxies === 0) return clientNetwork(peer)
  const forwarded = [headers['x-forwarded-for'] ?? '']
    .flat()
    .join(',')
    .split(',')
    .map((entry) => entry.trim())
  return clientNetwork(forwarded.at(-trustedProxies) || peer)
}
