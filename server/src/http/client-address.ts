import type { IncomingMessage } from 'node:http'

/**
 * The address that a request comes from. Each trusted proxy in front of us appends the address it saw to
 * X-Forwarded-For, so the caller is that many entries from the end; what stands before it anyone can have written.
 */
export function clientAddress(
  { socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>,
  trustedProxies: number,
): string {
  const peer = socket.remoteAddress ?? 'unknown'
  if (trustedProxies === 0) return peer
  const forwarded = [headers['x-forwarded-for'] ?? '']
    .flat()
    .join(',')
    .split(',')
    .map((entry) => entry.trim())
  return forwarded.at(-trustedProxies) || peer
}
