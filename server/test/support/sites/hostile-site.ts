import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** Starts the trap site of the corpora on a free loopback port. Throws if it ends before it is ready. */
export async function startHostileSite(folder: string): Promise<{ url: string; process: ChildProcess }> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  const port = typeof address === 'object' && address ? address.port : 0
  probe.close()
  await once(probe, 'close')
  const child = spawn(process.execPath, [join(folder, 'server.mjs'), String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface(child.stdout)
  const ended = once(lines, 'close').then(() => {
    throw new Error(`the site of traps in ${folder} did not start`)
  })
  await Promise.race([once(lines, 'line'), ended])
  ended.catch(() => {})
  return { url: `http://127.0.0.1:${port}`, process: child }
}
