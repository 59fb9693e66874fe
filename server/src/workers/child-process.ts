import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { getCompileCacheDir } from 'node:module'
import { dirname, join } from 'node:path'
import { Readable, type Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { differences } from '#lib/operating-system.ts'
import { canDropPermissions, endWithThisProcess, hasShell, isolateCommand, programFolders } from './isolation.ts'
import { chooseFirst, residentMb, usedCpuMs } from './process-status.ts'

export type TaskProcessOptions<Answer> = {
  /** The program file. It begins with `serveChild`. */
  program: URL
  args?: string[]
  heapMb: number
  /** Total memory limit in megabytes, including buffers and code. Checked while busy, on Linux only. */
  memoryMb: number
  /** Files and folders (`/path/*`) that it may read besides its program. */
  reads?: readonly string[]
  /** Whether it loads packages that are installed beside Docent. */
  loadsPackages?: boolean
  /** A folder that it does not see where the system can hide it. */
  hides?: string | undefined
  /** The first task carries bytes, which the program reads with `readPayload`. */
  payload?: boolean
  /** If false, keeps the host's namespaces, for tests of the remaining protection. */
  isolate?: boolean
  /** For programs with native code, whose sandbox is weaker. `environment` is their whole environment. */
  native?: { environment: Readonly<Record<string, string>> }
  onAnswer: (answer: Answer) => void
  /** Shell that ends the child with this process. Without one, a thread in the child does. For tests. */
  shell?: string
  /** The process ended unexpectedly. No event follows. */
  onEnd: (why: EndReason) => void
}

/** Why a process ended. `killed`: by a signal from outside, of the operator or the kernel's OOM killer. */
export type EndReason = 'memory' | 'crash' | 'killed' | Error

/** The process exited by itself with an exit code, for example after an uncaught exception. */
export class ProcessExit extends Error {
  override name = 'ProcessExit'

  /** The message is that of the exception, if any. `lastWords` has local paths and is for the log only. */
  constructor(code: number | null, lastWords: string) {
    const exception = lastWords.split('\n').find((line) => line.split(':', 1)[0]?.endsWith('Error'))
    super(exception ?? `The process for reading ended with code ${code}.`, { cause: lastWords.trim() })
  }
}

export type TaskProcess<Task> = Pick<GuardedChild<Task, never>, 'post' | 'setBusy' | 'cpuMs' | 'end'>

/** Interval of memory checks. A decompression bomb fills about 100 MB in this time. */
const LOOK_EVERY_MS = 100
/** Pipe write size on Linux. */
const PIECE_BYTES = 1 << 18
/** Kept characters of standard error. V8's heap report exceeds this. */
const LAST_WORDS = 2_000
/** Half the young generation of the service: all of it would save a twentieth of the time for 20 MB per process. */
const YOUNG_FLAGS = ['--max-semi-space-size=4', '--no-parallel-scavenge']
/** Allows a watcher thread and then drops the permission. Node warns about that. */
const WATCH_FLAGS = ['--allow-worker', '--disable-warning=PERM0006']
const ENVIRONMENT = { MALLOC_ARENA_MAX: '1' }
/** Features none of our programs need. SQLite can open files past the permissions (`ATTACH`). */
const REFUSED_FLAGS = ['--disallow-code-generation-from-strings', '--no-experimental-sqlite', '--disable-sigusr1']
/** V8 aborts or traps, with a line on standard error, if the heap is full or an allocation is too large. */
const V8_SIGNALS: ReadonlySet<string> = new Set(['SIGABRT', 'SIGTRAP', 'SIGILL'])
const V8_WORDS = /out of memory|allocation failed|invalid (?:\w+ )?size error|invalid array length/i
/** Signals of program faults, as opposed to signals sent by others. */
const CRASHES: ReadonlySet<string> = new Set(['SIGABRT', 'SIGTRAP', 'SIGILL', 'SIGSEGV', 'SIGBUS', 'SIGFPE', 'SIGSYS'])

/**
 * A process for untrusted input: one large allocation in a thread would end the service. It has an empty environment
 * and its own session, reads only its program, and has no network (`lockDown`, `isolateCommand`).
 */
export function openChildProcess<Task, Answer>(options: TaskProcessOptions<Answer>): TaskProcess<Task> {
  return new GuardedChild<Task, Answer>(options)
}

class GuardedChild<Task, Answer> {
  readonly #options: TaskProcessOptions<Answer>
  readonly #child: ChildProcess
  readonly #exited: Promise<unknown>
  #lastWords = ''
  #ended = false
  #overMemory = false
  #watch: NodeJS.Timeout | undefined

  constructor(options: TaskProcessOptions<Answer>) {
    this.#options = options
    const isGuarded = hasShell(options.shell) || !canDropPermissions(process.versions.node)
    const command = commandOf(options, isGuarded)
    const { file, args, env } = options.isolate === false ? command : isolateCommand(command, command.hidden)
    this.#child = spawn(file, args, {
      env,
      serialization: 'advanced',
      stdio: [options.payload ? 'pipe' : 'ignore', 'ignore', 'pipe', 'ipc'],
      detached: differences.hasProcessGroups,
    })
    // Node's internal IPC messages transfer sockets and servers. Accept none from the child.
    this.#child.removeAllListeners('internalMessage')
    this.#exited = once(this.#child, 'exit').catch(() => [])
    this.#listen()
    this.#listenToPipes()
    const { pid } = this.#child
    if (pid !== undefined && isGuarded) {
      const guard = endWithThisProcess(pid)
      this.#child.on('exit', () => guard.dismiss())
    }
    if (pid !== undefined) chooseFirst(pid)
    this.setBusy(false)
  }

  /** Sends a cloneable task, and a payload in pieces, whose bytes must not change until the task is done. */
  post(task: Task, payload?: Uint8Array): void {
    // The exit event reports the end.
    this.#child.send(task as object, () => undefined)
    if (payload && this.#child.stdin) pipePieces(payload, this.#child.stdin)
  }

  /** A busy process keeps this process alive, and its memory is monitored. */
  setBusy(busy: boolean): void {
    const child = this.#child
    clearInterval(this.#watch)
    this.#watch = busy && differences.hasProcFiles ? setInterval(() => this.#look(), LOOK_EVERY_MS).unref() : undefined
    for (const handle of [child, child.channel]) handle?.[busy ? 'ref' : 'unref']()
  }

  /** Processor time used so far in milliseconds. Null if the system does not report it, or the process has ended. */
  cpuMs(): number | null {
    const { pid } = this.#child
    return pid === undefined ? null : usedCpuMs(pid)
  }

  /** Ends the process immediately. No handler is called afterwards. */
  async end(): Promise<void> {
    const child = this.#child
    this.#finish()
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
    child.ref()
    child.kill('SIGKILL')
    await this.#exited
    child.stdin?.destroy()
  }

  #listen(): void {
    const child = this.#child
    child.on('message', (answer) => this.#ended || this.#options.onAnswer(answer as Answer))
    child.on('error', (cause) =>
      this.#finish(new Error('A process for reading could not be started or spoken to.', { cause })),
    )
    // Not on `exit`: its last output can arrive later.
    child.on('close', (code, signal) =>
      this.#finish(this.#overMemory ? 'memory' : reasonOf(code, signal, this.#lastWords)),
    )
  }

  #listenToPipes(): void {
    const { stdin, stderr } = this.#child
    const keep = (text: string) => void (this.#lastWords = (this.#lastWords + text).slice(-LAST_WORDS))
    stderr?.setEncoding('utf8').on('data', keep)
    // The exit event reports the end.
    stdin?.on('error', () => undefined)
    // The pipe must not keep this process alive.
    if (stderr && 'unref' in stderr && typeof stderr.unref === 'function') stderr.unref()
  }

  /** Ends a process over its memory limit. */
  #look(): void {
    const { pid } = this.#child
    if (pid === undefined || residentMb(pid) <= this.#options.memoryMb) return
    this.#overMemory = true
    this.#child.kill('SIGKILL')
  }

  #finish(why?: EndReason): void {
    clearInterval(this.#watch)
    if (this.#ended) return
    this.#ended = true
    if (why) this.#options.onEnd(why)
  }
}

/** The program's command without isolation. `isGuarded`: another process ends it with this one. */
function commandOf(options: Omit<TaskProcessOptions<never>, 'onAnswer'>, isGuarded: boolean) {
  const { hides = '' } = options
  const cache = options.native ? null : cacheOfCompiledCode()
  const reads = [
    ...programFolders(options.loadsPackages),
    ...(options.reads ?? []),
    ...(cache === null ? [] : [join(cache, '*')]),
  ]
  return {
    // The compiled code of some installations is in the data folder.
    hidden: reads.some((path) => path.startsWith(join(hides, '/'))) ? '' : hides,
    file: process.execPath,
    args: [
      '--permission',
      ...reads.map((path) => `--allow-fs-read=${path}`),
      ...(cache === null ? [] : [`--allow-fs-write=${join(cache, '*')}`]),
      ...(options.native ? ['--allow-addons'] : []),
      ...(isGuarded ? [] : WATCH_FLAGS),
      ...REFUSED_FLAGS,
      ...YOUNG_FLAGS,
      `--max-old-space-size=${options.heapMb}`,
      fileURLToPath(options.program),
      ...(options.args ?? []),
    ],
    env: options.native?.environment ?? { ...ENVIRONMENT, ...(cache === null ? {} : { NODE_COMPILE_CACHE: cache }) },
  }
}

function pipePieces(bytes: Uint8Array, to: Writable): void {
  const pieces = function* () {
    for (let at = 0; at < bytes.byteLength; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES)
  }
  Readable.from(pieces(), { objectMode: true, highWaterMark: 1 }).pipe(to)
}

function reasonOf(code: number | null, signal: NodeJS.Signals | null, lastWords: string): EndReason {
  if (signal === null) return new ProcessExit(code, lastWords)
  if (V8_SIGNALS.has(signal) && V8_WORDS.test(lastWords)) return 'memory'
  return CRASHES.has(signal) ? 'crash' : 'killed'
}

/** The compile cache saves 0.3 s and 28 MB per child. Node uses it if it is writable, until the first task. */
function cacheOfCompiledCode(): string | null {
  const folder = getCompileCacheDir()
  return folder !== undefined && canDropPermissions(process.versions.node) ? dirname(folder) : null
}
