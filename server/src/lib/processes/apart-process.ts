import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { getCompileCacheDir } from 'node:module'
import { dirname, join } from 'node:path'
import { Readable, type Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { canDropPermissions } from './drop-permission.ts'
import { endWithThisProcess, hasShell } from './end-with-this-process.ts'
import { isolateCommand } from './isolate-command.ts'
import { programFolders } from './program-folders.ts'

export type ApartOptions<Answer> = {
  /** The program file. It begins with `serveApart`. */
  program: URL
  args?: string[]
  /** Heap limit in megabytes. */
  heapMb: number
  /** Total memory limit in megabytes, including buffers and code. Checked while busy, on Linux only. */
  memoryMb: number
  /** Files and folders (`/path/*`) that it may read besides its program. */
  reads?: readonly string[]
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

/**
 * Why a process ended: memory limit, program crash, a signal from outside (`killed`, by the operator or the kernel's
 * OOM killer), or an error such as a failed start.
 */
export type EndReason = 'memory' | 'crash' | 'killed' | Error

/** The process exited by itself with an exit code, for example after an uncaught exception. */
export class ProcessExit extends Error {
  override name = 'ProcessExit'

  /**
   * The message is that of the exception, if any. All of `lastWords` is for the log only, because it contains local
   * paths.
   */
  constructor(code: number | null, lastWords: string) {
    const exception = lastWords.split('\n').find((line) => line.split(':', 1)[0]?.endsWith('Error'))
    super(exception ?? `The process for reading ended with code ${code}.`, { cause: lastWords.trim() })
  }
}

export type ApartProcess<Task> = {
  /**
   * Sends a task: any cloneable value. A process with a payload reads it in pieces, so that neither process holds a
   * second complete copy. The bytes must not change until the task is done.
   */
  post(task: Task, payload?: Uint8Array): void
  /** A busy process keeps this process alive, and its memory is monitored. */
  setBusy(busy: boolean): void
  /** Processor time used so far in milliseconds. Null if the system does not report it, or the process has ended. */
  cpuMs(): number | null
  /** Ends the process immediately. No handler is called afterwards. */
  end(): Promise<void>
}

/** Interval of memory checks. A decompression bomb fills about 100 MB in this time. */
const LOOK_EVERY_MS = 100
/** Pipe write size on Linux. */
const PIECE_BYTES = 1 << 18
/** Kept characters of standard error. V8's heap report exceeds this. */
const LAST_WORDS = 2_000
/**
 * Half the young generation of the service, since there may be several processes. The full size would save a twentieth
 * of the processor time and cost 20 MB more per process. For a heap this small, parallel scavenging costs a tenth more
 * processor time. The allocator gets one arena.
 */
const YOUNG_FLAGS = ['--max-semi-space-size=4', '--no-parallel-scavenge']
/** Allows a watcher thread and then drops the permission. Node warns about that. */
const WATCH_FLAGS = ['--allow-worker', '--disable-warning=PERM0006']
const ENVIRONMENT = { MALLOC_ARENA_MAX: '1' }
/** Features none of our programs need. SQLite can open files past the permissions (`ATTACH`). */
const REFUSED_FLAGS = ['--disallow-code-generation-from-strings', '--no-experimental-sqlite', '--disable-sigusr1']
/**
 * V8 ends its process by an abort or a trap, with a line on standard error, if the heap is full or an allocation is too
 * large.
 */
const V8_SIGNALS: ReadonlySet<string> = new Set(['SIGABRT', 'SIGTRAP', 'SIGILL'])
const V8_WORDS = /out of memory|allocation failed|invalid (?:\w+ )?size error|invalid array length/i
/** Signals of program faults, as opposed to signals sent by others. */
const CRASHES: ReadonlySet<string> = new Set(['SIGABRT', 'SIGTRAP', 'SIGILL', 'SIGSEGV', 'SIGBUS', 'SIGFPE', 'SIGSYS'])

/**
 * A process for untrusted input. A thread does not isolate: one large allocation ends the whole process despite its
 * limits. The child has an empty environment, reads only its own program, starts no program, and writes no file after
 * its first task starts. It has no network and sends no signals (`lockDown`, `isolateCommand`). It has a separate
 * session, so that process group signals do not cross over.
 */
export function openApartProcess<Task, Answer>(options: ApartOptions<Answer>): ApartProcess<Task> {
  const cache = options.native ? null : cacheOfCompiledCode()
  const guarded = hasShell(options.shell) || !canDropPermissions(process.versions.node)
  const reads = [...programFolders(), ...(options.reads ?? []), ...(cache === null ? [] : [join(cache, '*')])]
  const command = {
    file: process.execPath,
    args: [
      '--permission',
      ...reads.map((path) => `--allow-fs-read=${path}`),
      ...(cache === null ? [] : [`--allow-fs-write=${join(cache, '*')}`]),
      ...(options.native ? ['--allow-addons'] : []),
      ...(guarded ? [] : WATCH_FLAGS),
      ...REFUSED_FLAGS,
      ...YOUNG_FLAGS,
      `--max-old-space-size=${options.heapMb}`,
      fileURLToPath(options.program),
      ...(options.args ?? []),
    ],
    env: options.native?.environment ?? { ...ENVIRONMENT, ...(cache === null ? {} : { NODE_COMPILE_CACHE: cache }) },
  }
  const { file, args, env } = options.isolate === false ? command : isolateCommand(command)
  const child = spawn(file, args, {
    env,
    serialization: 'advanced',
    stdio: [options.payload ? 'pipe' : 'ignore', 'ignore', 'pipe', 'ipc'],
    detached: process.platform !== 'win32',
  })
  // Node's internal IPC messages transfer sockets and servers. Accept none from the child.
  child.removeAllListeners('internalMessage')
  const { pid, stdin, stderr } = child
  let lastWords = ''
  let ended = false
  let overMemory = false
  let watch: NodeJS.Timeout | undefined
  const exited = once(child, 'exit').catch(() => [])
  const guard = pid === undefined || !guarded ? null : endWithThisProcess(pid)
  const finish = (why?: EndReason) => {
    clearInterval(watch)
    if (ended) return
    ended = true
    if (why) options.onEnd(why)
  }
  if (pid !== undefined) chooseFirst(pid)
  stderr?.setEncoding('utf8').on('data', (text: string) => (lastWords = (lastWords + text).slice(-LAST_WORDS)))
  child.on('message', (answer) => ended || options.onAnswer(answer as Answer))
  child.on('error', (cause) => finish(new Error('A process for reading could not be started or spoken to.', { cause })))
  // Not on `exit`: its last output can arrive later.
  child.on('close', (code, signal) => finish(overMemory ? 'memory' : reasonOf(code, signal, lastWords)))
  child.on('exit', () => guard?.dismiss())

  const look = () => {
    if (pid === undefined || residentMb(pid) <= options.memoryMb) return
    overMemory = true
    child.kill('SIGKILL')
  }
  const setBusy = (busy: boolean) => {
    clearInterval(watch)
    watch = busy && process.platform === 'linux' ? setInterval(look, LOOK_EVERY_MS).unref() : undefined
    if (busy) child.ref()
    else child.unref()
    if (busy) child.channel?.ref()
    else child.channel?.unref()
  }
  // The exit event reports the end.
  stdin?.on('error', () => undefined)
  // The pipe must not keep this process alive.
  if (stderr && 'unref' in stderr && typeof stderr.unref === 'function') stderr.unref()
  setBusy(false)
  return {
    post(task, payload) {
      // The exit event reports the end.
      child.send(task as object, () => undefined)
      if (payload && stdin) pipePieces(payload, stdin)
    },
    setBusy,
    cpuMs: () => (pid === undefined ? null : usedCpuMs(pid)),
    async end() {
      finish()
      if (child.exitCode !== null || child.signalCode !== null || pid === undefined) return
      child.ref()
      child.kill('SIGKILL')
      await exited
      stdin?.destroy()
    },
  }
}

/** Writes the bytes without copying them all at once. */
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

/**
 * The service's compile cache. Without it the child strips types first: 0.4 s instead of 0.1 s, and 28 MB more. Node
 * uses the cache only if it is writable, so it needs a Node that can drop permissions. `serveApart` does so before any
 * task.
 */
function cacheOfCompiledCode(): string | null {
  const folder = getCompileCacheDir()
  return folder !== undefined && canDropPermissions(process.versions.node) ? dirname(folder) : null
}

/** If the machine runs out of memory, the kernel kills this process before the service. */
function chooseFirst(pid: number): void {
  if (process.platform !== 'linux') return
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, '1000')
  } catch {
    // It has ended, or the system refuses. This is only an extra precaution.
  }
}

function residentMb(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    // It has just ended. The exit event reports that.
    return 0
  }
}

/** Linux reports processor time in hundredths of a second, whatever its internal clock (proc_pid_stat(5)). */
const MS_PER_TICK = 10

function usedCpuMs(pid: number): number | null {
  if (process.platform !== 'linux') return null
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field is the program name in parentheses and can contain spaces. utime and stime are fields 14 and 15.
    const [utime, stime] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
    const ticks = Number(utime) + Number(stime)
    return Number.isFinite(ticks) ? ticks * MS_PER_TICK : null
  } catch {
    // It has just ended. The exit event reports that.
    return null
  }
}
