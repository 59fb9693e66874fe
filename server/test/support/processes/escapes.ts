import { spawnSync } from 'node:child_process'
import cluster from 'node:cluster'
import dgram from 'node:dgram'
import dns from 'node:dns'
import fs from 'node:fs'
import http from 'node:http'
import http2 from 'node:http2'
import inspector from 'node:inspector'
import net from 'node:net'
import os from 'node:os'
import process from 'node:process'
import tls from 'node:tls'
import v8 from 'node:v8'
import { Worker } from 'node:worker_threads'

/** Targets of the hostile program. */
export type Targets = {
  /** A file with text outside of the program's folders. */
  secretFile: string
  /** A world-writable folder. */
  folder: string
  /** Port of a TCP server on 127.0.0.1, port of a UDP socket, and path of a Unix socket. */
  port: number
  udpPort: number
  socketPath: string
  /** A process of the same user with a secret in its environment. */
  pid: number
  /** Inode of a file that the parent has open. */
  inode: number
}

/** Outcome of each attempt by name: `done`, or the reason of failure. */
export type Attempts = Record<string, string>

/** Time limit of an attempt. Refusals are immediate, but an unreachable host may never answer. */
const ATTEMPT_MS = 2_000

/** Tries every way for a program to reach beyond its process. Successful attempts have harmless effects only. */
export async function tryToEscape(targets: Targets): Promise<Attempts> {
  const attempts: Attempts = {}
  for (const [name, attempt] of Object.entries({ ...files(targets), ...processes(targets), ...networks(targets) })) {
    attempts[name] = await tell(attempt)
  }
  return attempts
}

async function tell(attempt: () => unknown): Promise<string> {
  const { promise: late, resolve } = Promise.withResolvers<string>()
  const timer = setTimeout(() => resolve('nothing happened'), ATTEMPT_MS)
  try {
    return await Promise.race([late, Promise.resolve(attempt()).then((value) => (value === false ? 'empty' : 'done'))])
  } catch (error) {
    const { code, message, cause } = error as NodeJS.ErrnoException
    return `${code ?? ''} ${message} ${cause instanceof Error ? cause.message : ''}`
  } finally {
    clearTimeout(timer)
  }
}

function files({ secretFile, folder, pid, inode }: Targets): Record<string, () => unknown> {
  const read = (path: string) => fs.readFileSync(path).byteLength > 0
  const attach = async (sql: string) => {
    const { DatabaseSync } = await import('node:sqlite')
    new DatabaseSync(':memory:').exec(sql)
  }
  return {
    'read a file': () => read(secretFile),
    'read a file by promises': async () => fs.promises.readFile(secretFile),
    'read a file as a stream': async () => fs.createReadStream(secretFile).toArray(),
    'read a file as a blob': async () => (await fs.openAsBlob(secretFile)).text(),
    'read a file by its URL': () => fs.readFileSync(new URL(`file://${secretFile}`)),
    'read a file through dots': () => fs.readFileSync(`${import.meta.dirname}/../../..${'/..'.repeat(9)}${secretFile}`),
    'load a file as settings': () => process.loadEnvFile(secretFile),
    'load a file as a module': async () => import(secretFile),
    'list a folder': () => fs.readdirSync(folder),
    'write a file': () => fs.writeFileSync(`${folder}/written`, ''),
    'write a report': () => process.report.writeReport(`${folder}/report.json`),
    'write a snapshot of the heap': () => v8.writeHeapSnapshot(`${folder}/heap`),
    'open a database': async () => attach(`ATTACH '${folder}/database' AS there; CREATE TABLE there.one (two)`),
    'read the environment of another process': () => read(`/proc/${pid}/environ`),
    'read the environment of the parent': () => read(`/proc/${process.ppid}/environ`),
    'read its own first environment': () => fs.openSync('/proc/self/environ', 'r'),
    'read the memory map of another process': () => read(`/proc/${pid}/maps`),
    'open the memory of another process': () => fs.openSync(`/proc/${pid}/mem`, 'r'),
    'list the descriptors of another process': () => fs.readdirSync(`/proc/${pid}/fd`),
    'use a descriptor of the parent': () => Array.from({ length: 256 }, (_, fd) => fd).some((fd) => isFile(fd, inode)),
  }
}

function processes({ pid, folder }: Targets): Record<string, () => unknown> {
  const internals = process as unknown as Record<string, (...given: unknown[]) => unknown>
  return {
    'send a signal': () => process.kill(pid, 0),
    'send a signal to the parent': () => process.kill(process.ppid, 0),
    'send a signal by the inner call': () => internals['_kill']?.(pid, 0),
    'open the debugger of another process': () => internals['_debugProcess']?.(pid),
    'slow another process down': () => os.setPriority(pid, 19),
    'start a program': () => {
      const { error } = spawnSync(process.execPath, ['--version'])
      if (error) throw error
    },
    'have a handle of a process': async () => {
      const { ChildProcess } = await import('node:child_process')
      return Boolean(new (ChildProcess as unknown as new () => object)())
    },
    'start a node of a cluster': () => cluster.fork().kill(),
    'start a thread': async () => new Worker('', { eval: true }).terminate(),
    'open its own debugger': async () => {
      // The control has it open already, as `open the debugger of another process` shows.
      const session = new inspector.Session()
      session.connect()
      session.disconnect()
    },
    'use the bindings of Node': () => internals['binding']?.('uv'),
    'load native code': () => process.dlopen({ exports: {} }, `${folder}/addon.node`),
    'run WASI': async () => {
      const { WASI } = await import('node:wasi')
      return Boolean(new WASI({ version: 'preview1', preopens: { '/': '/' } }))
    },
    // eslint-disable-next-line no-eval -- the test checks that it is refused
    'make code of a string': () => (0, eval)('1'),
    'raise its own limit of memory': () => v8.setFlagsFromString('--max-old-space-size=4096'),
  }
}

function networks({ port, udpPort, socketPath }: Targets): Record<string, () => unknown> {
  const at = { port, host: '127.0.0.1' }
  const connected = async (open: () => NodeJS.EventEmitter & { destroy(): unknown }, event = 'connect') => {
    const socket = open()
    await heard(socket, event)
    socket.destroy()
  }
  return {
    'connect by TCP': async () => connected(() => net.connect(at)),
    'connect a socket of its own': async () => connected(() => new net.Socket().connect(at)),
    'connect a socket like standard error': async () =>
      connected(() => new (process.stderr.constructor as typeof net.Socket)().connect(at)),
    'connect to a Unix socket': async () => connected(() => net.connect(socketPath)),
    'start TLS': async () => connected(() => tls.connect({ ...at, rejectUnauthorized: false })),
    'ask by HTTP': async () => connected(() => http.get({ ...at, agent: false }), 'response'),
    'ask by HTTP/2': async () => connected(() => http2.connect(`http://127.0.0.1:${port}`)),
    'ask by fetch': async () => (await fetch(`http://127.0.0.1:${port}/`)).status > 0,
    'open a WebSocket': async () => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}/`)
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      socket.addEventListener('open', () => resolve())
      socket.addEventListener('error', () => reject(new Error('This process has no network.')))
      await promise.finally(() => socket.close())
    },
    'send by UDP': async () => {
      const socket = dgram.createSocket('udp4')
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      socket.send('hello', udpPort, '127.0.0.1', (error) => (error ? reject(error) : resolve()))
      await promise.finally(() => socket.close())
    },
    listen: async () => {
      const server = net.createServer().listen(0, '127.0.0.1')
      await heard(server, 'listening')
      server.close()
    },
    'listen by HTTP': async () => {
      const server = http.createServer().listen(0, '127.0.0.1')
      await heard(server, 'listening')
      server.close()
    },
    'make a handle that listens': () => {
      const make = (net as unknown as { _createServerHandle: (...given: unknown[]) => unknown })._createServerHandle
      const handle = make('127.0.0.1', 0, 4)
      ;(handle as { close(): void }).close()
    },
    'look a name up': async () => dns.promises.lookup('localhost'),
    'look a name up by a resolver': async () => new dns.Resolver().getServers(),
  }
}

async function heard(emitter: NodeJS.EventEmitter, event: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  emitter.once(event, () => resolve())
  emitter.once('error', reject)
  await promise
}

function isFile(fd: number, inode: number): boolean {
  try {
    return fs.fstatSync(fd).ino === inode
  } catch {
    // No such descriptor.
    return false
  }
}
