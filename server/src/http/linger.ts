import type { IncomingMessage, ServerResponse } from 'node:http'

export type LingerLimits = {
  /** Milliseconds without a byte after which the rest of a request that was answered is not waited for. */
  restMs: number
  /** Milliseconds for such a rest in all. */
  lingerMs: number
}

/**
 * Goes on reading a request that is answered before it has arrived. A connection that is closed with bytes unread is
 * reset, and a client that writes all of its request first then never reads the answer. Call before the answer ends.
 */
export function linger({ incoming, outgoing }: { incoming: IncomingMessage; outgoing: ServerResponse }): void {
  if (incoming.complete) return
  const { socket } = incoming
  incoming.resume()
  // What Node calls after the last answer of a connection. Half of it is closed, which tells the client to stop.
  const { destroySoon } = socket
  socket.destroySoon = () => {
    socket.destroySoon = destroySoon
    if (incoming.complete) socket.destroySoon()
    else socket.end()
  }
  // The connection is used again.
  outgoing.once('close', () => (socket.destroySoon = destroySoon))
}

/** Drops the connection of a request that has been answered when its rest stops coming, or takes too long. */
export function dropUnlessComplete(incoming: IncomingMessage, { restMs, lingerMs }: LingerLimits): void {
  const { socket } = incoming
  const begun = performance.now()
  let read = socket.bytesRead
  const timer = setInterval(() => {
    const isMoving = socket.bytesRead > read && performance.now() - begun < lingerMs
    read = socket.bytesRead
    if (!incoming.complete && isMoving) return
    clearInterval(timer)
    if (!incoming.complete || socket.writableEnded) socket.destroy()
  }, restMs).unref()
  socket.once('close', () => clearInterval(timer))
}
