import type { IncomingMessage } from 'node:http'
import { clientNetwork } from '#lib/client-network.ts'

/**
 * The network that a request comes from, as rate limits count it (`clientNetwork`). Each trusted proxy in front of us
 * appends the address it saw to X-Forwarded-For, so the caller is that many entries from the end; what stands before it
 * anyone can have written.
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
