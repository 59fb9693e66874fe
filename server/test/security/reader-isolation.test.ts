import { type ChildProcess, fork, spawn, spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type FileHandle, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createUnixServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openChildProcess } from '#workers/child-process.ts'
import { isolateCommand, wayToIsolate } from '#workers/isolation.ts'
import { endKeptChildren } from '../support/processes/kept-children.ts'
import { startDocent } from '../support/service/harness.ts'
import { page, startSite } from '../support/sites/site.ts'
import type { EscapeTask } from '../support/processes/escape-program.ts'
import type { Attempts, Targets } from '../support/processes/escapes.ts'

const cleanUp = new AsyncDisposableStack()
let targets: Targets

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'docent-escape-'))
  cleanUp.defer(async () => rm(folder, { recursive: true, force: true }))
  const secretFile = join(folder, 'secret.cjs')
  await writeFile(secretFile, 'A=1')
  await writeFile(join(folder, 'addon.node'), '')
  const file: FileHandle = await open(secretFile)
  cleanUp.defer(async () => file.close())
  const server = createServer((_, response) => void response.end('here')).listen(0, '127.0.0.1')
  server.on('upgrade', (_, socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
  await once(server, 'listening')
  cleanUp.defer(() => server.close().closeAllConnections())
  const socketPath = join(folder, 'socket')
  const unix = createUnixServer().listen(socketPath)
  await once(unix, 'listening')
  cleanUp.defer(() => void unix.close())
  const udp = createSocket('udp4').bind(0, '127.0.0.1')
  await once(udp, 'listening')
  cleanUp.defer(() => void udp.close())
  const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000); console.log("ready")'], {
    env: { SECRET: 'of another process' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  await once(other.stdout, 'data')
  cleanUp.defer(() => void other.kill('SIGKILL'))
  const { port } = server.address() as AddressInfo
  const { ino } = await file.stat()
  const { pid = 0 } = other
  targets = { secretFile, folder, port, udpPort: udp.address().port, socketPath, pid, inode: ino }
}, 30_000)
afterAll(async () => cleanUp.disposeAsync())

/** Runs the hostile program with a reader's isolation. */
async function runAsReader(task: EscapeTask, isolate: boolean): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  const reader = openChildProcess<EscapeTask, unknown>({
    program: new URL('../support/processes/escape-program.ts', import.meta.url),
    heapMb: 128,
    memoryMb: 400,
    isolate,
    onAnswer: resolve,
    onEnd: (why) => reject(why instanceof Error ? why : new Error(`The reader ended: ${why}.`)),
  })
  reader.setBusy(true)
  reader.post(task)
  try {
    return await promise
  } finally {
    await reader.end()
  }
}

/** Attempts that cannot succeed in the control either, so their failure proves nothing. */
const NOT_IN_CONTROL = new Set([
  // Would need a valid native module, an endpoint that answers, and a certificate.
  'load native code',
  'start TLS',
  'ask by HTTP/2',
  'open a WebSocket',
  // Node never passes on a descriptor.
  'use a descriptor of the parent',
  // Fails where the system protects processes from each other (`kernel.yama.ptrace_scope`) or has no `/proc`.
  'open the memory of another process',
  'read the memory map of another process',
])

function hasNamespaces(): boolean {
  const command = 'unshare --user --map-current-user --net true'
  return process.platform === 'linux' && spawnSync('/bin/sh', ['-c', command]).status === 0
}

describe('hostile program', () => {
  test('shows that all attempts succeed without isolation', async () => {
    const control: ChildProcess = fork(new URL('../support/processes/escape-control.ts', import.meta.url), {
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    try {
      control.send(targets)
      const [{ attempts }] = (await once(control, 'message')) as [{ attempts: Attempts }]
      const failed = Object.entries(attempts).filter(
        ([name, outcome]) => outcome !== 'done' && !NOT_IN_CONTROL.has(name),
      )
      expect(failed.filter(([name]) => process.platform === 'linux' || !name.includes('another process'))).toEqual([])
    } finally {
      control.kill('SIGKILL')
    }
  })

  test.each([
    ['', true],
    [', even without namespaces', false],
  ])('succeeds in no attempt as a reader%s', async (_, isolate) => {
    const { attempts, environment } = (await runAsReader(targets, isolate)) as {
      attempts: Attempts
      environment: string[]
    }
    expect(Object.keys(attempts).length).toBeGreaterThan(45)
    expect(Object.entries(attempts).filter(([, outcome]) => outcome === 'done')).toEqual([])
    // Refused by the isolation, as opposed to a failure of the test itself.
    const refused = /ERR_ACCESS_DENIED|has no network|may not do that|ERR_DLOPEN_DISABLED|disallowed|No such built-in/
    const other = Object.entries(attempts).filter(([, outcome]) => !refused.test(outcome))
    expect(other).toEqual([['use a descriptor of the parent', 'empty']])
    expect(environment.filter((name) => !['MALLOC_ARENA_MAX', 'NODE_COMPILE_CACHE'].includes(name))).toEqual([])
  })

  test.runIf(hasNamespaces())('confines a reader by the kernel too where namespaces are available', () => {
    const secret = `/proc/${targets.pid}/environ`
    const links = '/proc/self/net/dev'
    const run = (args: string[]) => {
      const { file, args: wrapped, env } = isolateCommand({ file: '/bin/cat', args, env: {} }, '')
      return spawnSync(file, wrapped, { env, encoding: 'utf8' })
    }
    expect(spawnSync('/bin/cat', [secret], { encoding: 'utf8' }).stdout).toContain('of another process')
    expect(run([secret])).toMatchObject({ stdout: '', stderr: expect.stringMatching(/Permission denied/) })
    const { stdout } = run([links])
    expect(stdout.split('\n').filter((line) => line.includes(':'))).toEqual([expect.stringMatching(/^ *lo:/)])
  })

  test.runIf(hasNamespaces())('gains no privileges, has no capabilities, and finds the data folder empty', () => {
    const look = (hidden: string) => {
      const script = 'grep -E "NoNewPrivs|CapEff|CapBnd" /proc/self/status; ls -A "$1"; umount "$1"; ls -A "$1"'
      const command = { file: '/bin/sh', args: ['-c', script, 'sh', targets.folder], env: {} }
      const { file, args, env } = isolateCommand(command, hidden)
      return spawnSync(file, args, { env, encoding: 'utf8' }).stdout
    }
    const full = look(targets.folder)
    expect(full).toMatch(/^CapEff:\t0+\nCapBnd:\t0+\nNoNewPrivs:\t1\n$/)
    // A folder that cannot be hidden stays, and the rest of the protection too.
    const less = look('')
    expect(less).toMatch(/^CapEff:\t[\da-f]+\nCapBnd:\t[\da-f]+\nNoNewPrivs:\t1\n/)
    expect(less).toContain('secret.cjs')
    expect(wayToIsolate(targets.folder)).toBe('full')
    expect(wayToIsolate('')).toBe('namespaces')
  })

  test.runIf(hasNamespaces())('does not see the data folder of the service that reads a site', async () => {
    await using site = await startSite({ '/': page('Otters', 'Seven otters share a raft.') })
    endKeptChildren()
    await using docent = await startDocent()
    const end = new AbortController()
    const done = docent.createServer({ name: 'Site', sources: [{ url: `${site.url}/` }] }).finally(() => end.abort())
    const mounts = new Set<string>()
    while (!end.signal.aborted) {
      const children = await readFile(`/proc/self/task/${process.pid}/children`, 'utf8')
      for (const pid of children.trim().split(' '))
        mounts.add(await readFile(`/proc/${pid}/mounts`, 'utf8').catch(() => ''))
      await sleep(20)
    }
    await done
    expect([...mounts].join('')).toContain(` ${docent.place.dataDir} tmpfs ro,`)
  })

  test('cannot end its parent with messages internal to Node', async () => {
    expect(await runAsReader('send an inner message', true)).toBe('sent')
  })
})
