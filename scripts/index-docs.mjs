// Writes `dist/docs-server.docent.gz`: a server of the documents of this version, read and divided into passages, which
// `docent servers docs` imports. Runs the bundle as a service for it, in a folder of its own.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { indexedDocs } from './launch/builds.mjs'
import { LaunchError } from './launch/say.mjs'
import { SERVICE_ENVIRONMENT, SERVICE_FLAGS } from './launch/service-flags.mjs'

const OWNER = 'build@docent.invalid'
const READY = 'Docent ready on '

/** @param {string} root folder of the project, with the bundle in `dist/server` */
export async function indexDocs(root) {
  const file = indexedDocs(root)
  const folder = await mkdtemp(join(tmpdir(), 'docent-build-'))
  /** @type {Record<string, string | undefined>} */
  const env = {
    ...SERVICE_ENVIRONMENT,
    PATH: process.env['PATH'],
    HOME: folder,
    DOCENT_DATA_DIR: folder,
    DOCENT_PORT: '0',
    DOCENT_LOG_LEVEL: 'error',
    DOCENT_ADMIN_EMAIL: OWNER,
    DOCENT_ADMIN_PASSWORD: crypto.randomUUID(),
  }
  const start = (/** @type {string[]} */ ...args) => {
    const line = [...SERVICE_FLAGS, join(root, 'dist/server/docent.mjs'), ...args]
    return spawn(process.execPath, line, { env, cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
  }
  const run = async (/** @type {string[]} */ ...args) => {
    const child = start(...args)
    const lines = await linesOf(child.stdout)
    if (child.exitCode === null) await once(child, 'exit')
    if (child.exitCode !== 0) throw new LaunchError(`docent ${args[0]} ${args[1]} failed.`)
    return lines
  }
  await rm(file, { force: true })
  const service = start('serve')
  try {
    env['DOCENT_URL'] = await readyUrl(service.stdout)
    const [key] = await run('admin', 'key', '--email', OWNER, '--name', 'build')
    env['DOCENT_API_KEY'] = key
    await run('servers', 'docs')
    await run('servers', 'export', 'docs', file)
    // Exports are for their owner only. The user of an image is another one.
    await chmod(file, 0o644)
  } finally {
    service.kill('SIGTERM')
    if (service.exitCode === null) await once(service, 'exit')
    await rm(folder, { recursive: true, force: true })
  }
}

/** @param {import('node:stream').Readable} stream */
async function linesOf(stream) {
  /** @type {string[]} */
  const lines = []
  for await (const line of createInterface({ input: stream })) lines.push(line)
  return lines
}

/** @param {import('node:stream').Readable} stream */
async function readyUrl(stream) {
  for await (const line of createInterface({ input: stream })) {
    if (line.startsWith(READY)) return line.slice(READY.length)
  }
  throw new LaunchError('The service that indexes the documents did not start.')
}
