import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureBuilds } from '../../../scripts/launch/builds.mjs'
import { SERVICE_ENVIRONMENT, SERVICE_FLAGS } from '../../../scripts/launch/service-flags.mjs'

export type ServiceProcess = AsyncDisposable & {
  pid: number
  url: string
  /** API key of its only account. */
  key: string
  /** Milliseconds from the spawn to the ready message. */
  readyMs: number
}

const ROOT = join(import.meta.dirname, '../../..')
const CLI = join(ROOT, 'dist/server/docent.mjs')
/** The only account, for signing in. */
export const ACCOUNT = { email: 'bench@example.org', password: 'not a secret' }

type Options = {
  /** Fills the data folder before the start; one account exists already. */
  prepare?: (dataDir: string) => Promise<void>
  /** Further environment variables. */
  environment?: Record<string, string>
  /** A node of the same database, whose account exists already. */
  joins?: Pick<ServiceProcess, 'key'>
}

/** The real service in a separate process, on a temporary folder and a free port, allowed to index this machine. */
export async function startService({ prepare, environment = {}, joins }: Options = {}): Promise<ServiceProcess> {
  await using stack = new AsyncDisposableStack()
  await ensureBuilds(ROOT, process.execPath)
  const dataDir = await mkdtemp(join(tmpdir(), 'docent-bench-'))
  stack.defer(() => rm(dataDir, { recursive: true, force: true }))
  const env = {
    ...SERVICE_ENVIRONMENT,
    // eslint-disable-next-line node/no-process-env -- the service inherits this environment
    ...process.env,
    DOCENT_DATA_DIR: dataDir,
    DOCENT_PORT: '0',
    DOCENT_HOST: '127.0.0.1',
    DOCENT_ALLOW_NETWORKS: '127.0.0.0/8',
    DOCENT_RATE_LIMITS: 'off',
    DOCENT_LOG_LEVEL: 'error',
    ...environment,
  }
  const cli = (args: string[], input = '') =>
    execFileSync(process.execPath, [CLI, ...args], { env, input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'] })
  if (!joins) cli(['admin', 'create', '--email', ACCOUNT.email, '--password-stdin'], ACCOUNT.password)
  const key = joins?.key ?? cli(['admin', 'key', '--email', ACCOUNT.email, '--name', 'bench']).trim()
  await prepare?.(dataDir)

  const started = performance.now()
  const child = spawn(process.execPath, [...SERVICE_FLAGS, CLI, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  stack.defer(async () => {
    if (child.exitCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  })
  const url = await readyUrl(child.stdout)
  const readyMs = Math.round(performance.now() - started)
  const kept = stack.move()
  return { pid: child.pid ?? 0, url, key, readyMs, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

async function readyUrl(stdout: NodeJS.ReadableStream): Promise<string> {
  let text = ''
  for await (const chunk of stdout) {
    text += String(chunk)
    const url = /ready on (\S+)\n/.exec(text)?.[1]
    if (url) return url
  }
  throw new Error('The service ended before it was ready.')
}
