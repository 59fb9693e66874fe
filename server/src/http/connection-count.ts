import type { Socket } from 'node:net'
import { clientAddress } from './client-address.ts'

export type ConnectionCount = {
  /** Counts a connection until it closes. Returns false if its address has reached the limit. */
  take(socket: Socket): boolean
}

/** Counts open connections by peer address. */
export function createConnectionCount(limit: number): ConnectionCount {
  const open = new Map<string, number>()
  return {
    take(socket) {
      const address = clientAddress({ socket, headers: {} }, 0)
      const count = (open.get(address) ?? 0) + 1
      open.set(address, count)
      socket.once('close', () => {
        const left = (open.get(address) ?? 0) - 1
        if (left > 0) open.set(address, left)
        else open.delete(address)
      })
      return count <= limit
    },
  }
}
