import type { Context } from 'hono'
import type { Bindings } from './bindings.ts'

/**
 * The address that a request comes from. Each trusted proxy in front of us appends the address it saw to
 * X-Forwarded-For, so the caller is that many entries from the end; what stands before it anyone can have written.
 */
export function clientAddress(c: Context<Bindings>, trustedProxies: number): string {
  const peer = c.env.incoming.socket.remoteAddress ?? 'unknown'
  if (trustedProxies === 0) return peer
  const forwarded = (c.req.header('x-forwarded-for') ?? '').split(',').map((entry) => entry.trim())
  return forwarded.at(-trustedProxies) || peer
}
