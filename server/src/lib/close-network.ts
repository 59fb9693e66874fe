import { createSocket } from 'node:dgram'
import { Socket } from 'node:net'

/**
 * Takes the way to the network from everything that runs in this process from now on: `fetch`, HTTP and TLS all connect
 * by the same method. For processes that run packages which might look for something; native code is not held by it.
 */
export function closeNetwork(): void {
  const refuse = () => {
    throw new Error('This process has no network.')
  }
  Socket.prototype.connect = refuse
  const datagrams = createSocket('udp4')
  Object.assign(Object.getPrototypeOf(datagrams), { bind: refuse, connect: refuse, send: refuse })
  datagrams.close()
}
