import { type AddressInfo, type Socket, connect, createServer } from 'node:net'

/** A TCP proxy before a database, whose present connections can be made to swallow all packets, as firewalls do. */
export async function startSilentProxy(databaseUrl: string) {
  const target = new URL(databaseUrl)
  const pairs = new Set<[Socket, Socket]>()
  const server = createServer((from) => {
    const to = connect({ host: target.hostname, port: Number(target.port) })
    const pair: [Socket, Socket] = [from, to]
    pairs.add(pair)
    for (const [socket, other] of [pair, [to, from]] as const) {
      socket.pipe(other)
      socket.on('error', () => other.destroy())
      socket.on('close', () => pairs.delete(pair))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(databaseUrl)
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    /** From now on, nothing passes on the present connections, and neither side hears of it. */
    silencePresent() {
      for (const [from, to] of pairs) {
        from.unpipe(to).resume()
        to.unpipe(from).resume()
      }
    },
    async [Symbol.asyncDispose]() {
      for (const pair of pairs) for (const socket of pair) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
