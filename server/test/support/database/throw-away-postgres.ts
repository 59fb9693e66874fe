import { execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from '../lib/free-port.ts'

export type ThrowAwayPostgres = {
  url: string
  /** Suspends or resumes the server and all its children. */
  signalAll(signal: 'SIGSTOP' | 'SIGCONT'): void
  /** Stops the server: smart (SIGTERM), fast (SIGINT), immediate (SIGQUIT), or killed with all its children. */
  end(signal: 'SIGTERM' | 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): Promise<void>
  /** Starts it again at the same address, and resolves when it answers. */
  begin(): Promise<void>
  stop(): Promise<void>
}

/** A database for one test run needs no durability. */
const FAST = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=400']

/**
 * Starts a PostgreSQL from the machine's binaries on a free loopback port in a temporary folder, or one below `parent`, with extra settings as
 * `name=value`. Returns null without binaries. PostgreSQL refuses to run as root, so root starts it as another user.
 */
export async function startPostgres(
  more: readonly string[] = [],
  parent: string | null = null,
): Promise<ThrowAwayPostgres | null> {
  const bin = findBinaries()
  if (!bin) return null
  const user = process.getuid?.() === 0 ? unprivilegedUser() : null
  const folder = mkdtempSync(join(parent ?? tmpdir(), 'docent-postgres-'))
  if (user) chownSync(folder, user.uid, user.gid)
  const owner = user ?? {}
  const data = join(folder, 'data')
  execFileSync(join(bin, 'initdb'), ['-D', data, '-U', 'docent', '-A', 'trust', '-E', 'UTF8', '--locale=C', '-N'], {
    ...owner,
    cwd: folder,
    stdio: 'pipe',
  })
  const port = await freePort()
  const settings = [...FAST, ...more, `unix_socket_directories=${folder}`].flatMap((setting) => ['-c', setting])
  const args = ['-D', data, '-h', '127.0.0.1', '-p', String(port), ...settings]
  const url = `postgres://docent@127.0.0.1:${port}/postgres`
  const begin = async () => {
    for (;;) {
      const server = spawn(join(bin, 'postgres'), args, { ...owner, cwd: folder, stdio: 'ignore' })
      const exited = new Promise<'exited'>((resolve) => server.once('exit', () => resolve('exited')))
      const outcome = await Promise.race([exited, untilItAnswers(url)])
      // After a killed postmaster its children block the next start until they notice.
      if (outcome === undefined) return { server, exited }
      await sleep(100)
    }
  }
  let running = await begin()
  const end = async (signal: NodeJS.Signals) => {
    running.server.kill(signal)
    await running.exited
  }
  return {
    url,
    signalAll(signal) {
      const pid = running.server.pid ?? 0
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
      process.kill(pid, signal)
      for (const child of children.map(Number)) {
        try {
          process.kill(child, signal)
        } catch (error) {
          // It ended by itself, as workers of autovacuum do.
          if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
        }
      }
    },
    end,
    async begin() {
      running = await begin()
    },
    async stop() {
      await end('SIGINT')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Folder with `postgres` and `initdb`: on the PATH, or in Debian's location. */
function findBinaries(): string | null {
  const onPath = (process.env['PATH'] ?? '').split(':')
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).map((version) => join(debian, version, 'bin')) : []
  const complete = (folder: string) => existsSync(join(folder, 'postgres')) && existsSync(join(folder, 'initdb'))
  return [...versions.toSorted().toReversed(), ...onPath].find(complete) ?? null
}

function unprivilegedUser(): { uid: number; gid: number } {
  for (const name of ['postgres', 'nobody']) {
    const line = readFileSync('/etc/passwd', 'utf8').match(new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, 'm'))
    if (line) return { uid: Number(line[1]), gid: Number(line[2]) }
  }
  throw new Error('There is no user other than root to run PostgreSQL as')
}

async function untilItAnswers(url: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.end()
      return
    } catch (error) {
      if (tries > 100) throw error
      await sleep(100)
    }
  }
}
