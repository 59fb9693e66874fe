import type { IncomingMessage, ServerResponse } from 'node:http'

export type LingerLimits = {
  /** Milliseconds to wait for the next byte of the unread rest of an answered request. */
  restMs: number
  /** Milliseconds for such a rest in total. */
  lingerMs: number
}

/**
 * Keeps reading a request that was answered before it fully arrived. Closing a connection with unread bytes resets it.
 * A client that writes the whole request first would then never read the response. Call before the response ends.
 */
export function linger({ incoming, outgoing }: { incoming: IncomingMessage; outgoing: ServerResponse }): void {
  if (incoming.complete) return
  const { socket } = incoming
  incoming.resume()
  // Node calls this after the last response of a connection. Closing our half tells the client to stop.
  const { destroySoon } = socket
  socket.destroySoon = () => {
    socket.destroySoon = destroySoon
    if (incoming.complete) socket.destroySoon()
    else socket.end()
  }
  // The connection is reused, so restore it.
  outgoing.once('close', () => (socket.destroySoon = destroySoon))
}

/** Drops the connection of an answered request if its rest stalls or takes too long. */
export function dropUnlessComplete(incoming: IncomingMessage, { restMs, lingerMs }: LingerLimits): void {
  const { socket } = incoming
  const begun = performance.now()
  let read = socket.bytesRead
  const timer = setInterval(() => {
    const isMoving = socket.bytesRead > read && performance.now() - begun < lingerMs
    read = socket.bytesRead
    if (!isMoving) socket.destroy()
  }, restMs).unref()
  // The request is complete, or its connection is gone.
  incoming.once('close', () => {
    clearInterval(timer)
    if (socket.writableEnded) socket.destroy()
  })
}
