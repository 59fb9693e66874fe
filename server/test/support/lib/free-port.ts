import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below the ports that systems give to outgoing connections and to servers without a port, one of which could take the
 * port before its use. Tests whose addresses nothing may answer name ports below these.
 */
const [FIRST, COUNT] = [20_000, 10_000]

/** A port of 127.0.0.1 on which nothing listens, for a program that must be told its port. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * COUNT)
    const probe = createServer().listen(port, '127.0.0.1')
    const isFree = await once(probe, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    probe.close()
    await once(probe, 'close')
    return port
  }
}
