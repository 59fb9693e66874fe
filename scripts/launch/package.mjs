// Runs the bundle of an installed package, with the Node that runs this.
import { enableCompileCache } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runChild } from './child.mjs'
import { SERVICE_ENVIRONMENT, SERVICE_FLAGS } from './service-flags.mjs'

const bundle = new URL('../../dist/server/docent.mjs', import.meta.url)
/** Commands that start the service. They need its flags, which Node takes at its start only. */
const SERVING = new Set(['serve', 'try'])

const { env } = process
// Not in the shared folder for temporary files: whoever can write there could replace the code.
const caches = env['XDG_CACHE_HOME'] || join(homedir(), '.cache')
const cache = (env['NODE_COMPILE_CACHE'] ??= join(caches, 'docent', 'compiled'))
const args = process.argv.slice(2)
if (SERVING.has(args[0] ?? '')) await serve()
else {
  enableCompileCache(cache)
  await import(bundle.href)
}

/** Replaces this process by the service. Systems without execve(2) get a child. */
async function serve() {
  const line = [...SERVICE_FLAGS, fileURLToPath(bundle), ...args]
  const environment = { ...SERVICE_ENVIRONMENT, ...env }
  process.execve?.(process.execPath, [process.execPath, ...line], environment)
  process.exitCode = (await runChild(process.execPath, line, { cwd: process.cwd(), env: environment })).code
}
