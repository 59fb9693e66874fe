import { type AddressInfo, type Socket, connect, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export type SilentProxy = Awaited<ReturnType<typeof startSilentProxy>>

/** A TCP proxy before a database, which can swallow all packets as firewalls do, delay them, and refuse connections. */
export async function startSilentProxy(databaseUrl: string) {
  const target = new URL(databaseUrl)
  const pairs = new Set<[Socket, Socket]>()
  const silent = new WeakSet<[Socket, Socket]>()
  let delayMs = 0
  let isRefusing = false
  const server = createServer((from) => {
    if (isRefusing) return void from.destroy()
    const to = connect({ host: target.hostname, port: Number(target.port) })
    const pair: [Socket, Socket] = [from, to]
    pairs.add(pair)
    for (const [socket, other] of [pair, [to, from]] as const) {
      let passed = Promise.resolve()
      socket.on('data', (bytes) => {
        passed = passed.then(async () => {
          if (delayMs > 0) await sleep(delayMs)
          if (!silent.has(pair)) other.write(bytes)
        })
      })
      socket.on('end', () => void passed.then(() => silent.has(pair) || other.end()))
      socket.on('error', () => other.destroy())
      socket.on('close', () => pairs.delete(pair))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(databaseUrl)
  url.port = String((server.address() as AddressInfo).port)
  const drop = () => {
    for (const pair of pairs) for (const socket of pair) socket.destroy()
  }
  return {
    url: url.href,
    /** From now on, nothing passes on the present connections, and neither side hears of it. */
    silencePresent() {
      for (const pair of pairs) silent.add(pair)
    },
    /** Delays each packet from now on. */
    delay: (ms: number) => void (delayMs = ms),
    /** Drops the present connections, and new ones until it is called with false. */
    refuse(refuses: boolean) {
      isRefusing = refuses
      if (refuses) drop()
    },
    async [Symbol.asyncDispose]() {
      drop()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
