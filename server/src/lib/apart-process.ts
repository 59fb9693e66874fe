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
  /** The program, which begins with `serveApart`. */
  program: URL
  /** Arguments of the program. */
  args?: string[]
  /** Megabytes of heap. */
  heapMb: number
  /** Megabytes in all, buffers and program included. Seen to while it is busy, on Linux only. */
  memoryMb: number
  /** Files and folders (`/path/*`) that it reads beside its program. */
  reads?: readonly string[]
  /** Its first task comes with bytes, which it reads by `readPayload`. */
  payload?: boolean
  /** Off, it keeps the host's namespaces: for tests of what holds without them. */
  isolate?: boolean
  /** For a program that stands on native code: the wall is lower then. `environment` is all that it gets of one. */
  native?: { environment: Readonly<Record<string, string>> }
  onAnswer: (answer: Answer) => void
  /** What stands by, to end it with this process; without it a thread of its own does. For tests of that. */
  shell?: string
  /** It ended without being asked to. Nothing comes after it. */
  onEnd: (why: EndReason) => void
}

/**
 * Why a process ended: over its memory; by a crash of the program that runs it; by a signal from outside (`killed`), be it of the
 * operator or of a kernel that is short of memory; or with an error, as one that cannot be started.
 */
export type EndReason = 'memory' | 'crash' | 'killed' | Error

/** A process that ended by itself with an exit code, as after an exception that nothing caught. */
export class ProcessExit extends Error {
  override name = 'ProcessExit'

  /** Its message is the exception's where there was one. All of `lastWords` is for the log: it names files of this machine. */
  constructor(code: number | null, lastWords: string) {
    const exception = lastWords.split('\n').find((line) => line.split(':', 1)[0]?.endsWith('Error'))
    super(exception ?? `The process for reading ended with code ${code}.`, { cause: lastWords.trim() })
  }
}

export type ApartProcess<Task> = {
  /**
   * Gives it a task: anything that can be cloned. A process that takes a payload reads it piece by piece, so that it is whole
   * in neither process beside the bytes that are given here. They must stay as they are until the task is done.
   */
  post(task: Task, payload?: Uint8Array): void
  /** While it is busy it keeps this process alive, and its memory is looked at. */
  setBusy(busy: boolean): void
  /** Milliseconds of processor time that it has used so far; null where the system does not tell, or it has ended. */
  cpuMs(): number | null
  /** Ends it at once. No handler is called any more. */
  end(): Promise<void>
}

/** How often its memory is looked at: a decompression bomb fills some 100 MB in this time. */
const LOOK_EVERY_MS = 100
/** What a pipe takes at once on Linux. */
const PIECE_BYTES = 1 << 18
/** Of what it writes to its standard error, which V8's report about a full heap exceeds. */
const LAST_WORDS = 2_000
/**
 * Half of what the service itself has, since there may be several of them: with as much, reading pages would take a
 * twentieth less of the processor, and each some 20 MB more. So little is collected by one thread: several, which wait for
 * each other, take a tenth more of the processor in all. And one arena of the allocator.
 */
const YOUNG_FLAGS = ['--max-semi-space-size=4', '--no-parallel-scavenge']
/** A thread that sees to its end, after which it gives the permission back; of that Node warns. */
const WATCH_FLAGS = ['--allow-worker', '--disable-warning=PERM0006']
const ENVIRONMENT = { MALLOC_ARENA_MAX: '1' }
/** What no program of ours needs: SQLite opens files past the permissions (`ATTACH`). */
const REFUSED_FLAGS = ['--disallow-code-generation-from-strings', '--no-experimental-sqlite', '--disable-sigusr1']
/**
 * How V8 ends its process when the heap is full, or when one allocation is larger than any can be: by an abort or a trap,
 * with a line on standard error.
 */
const V8_SIGNALS: ReadonlySet<string> = new Set(['SIGABRT', 'SIGTRAP', 'SIGILL'])
const V8_WORDS = /out of memory|allocation failed|invalid (?:\w+ )?size error|invalid array length/i
/** Faults of a program, as opposed to signals that somebody sends. */
const CRASHES: ReadonlySet<string> = new Set(['SIGABRT', 'SIGTRAP', 'SIGILL', 'SIGSEGV', 'SIGBUS', 'SIGFPE', 'SIGSYS'])

/**
 * A process for work on what strangers wrote. A thread is no wall: one allocation that is large enough ends its whole
 * process, whatever limits it has. It gets nothing of the environment, reads its own program alone, may start no program, and
 * writes no file from its first task on; it has no network and sends no signals (`lockDown`, `isolateCommand`). It has a
 * session of its own, so that signals to a process group do not cross between it and the service.
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
  // Node's own messages between processes hand over sockets and servers. None is taken from this one.
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
  // Not with its exit: what it wrote last may come after that.
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
  // That it has ended is heard from its exit.
  stdin?.on('error', () => undefined)
  // A pipe that nothing is waited for on.
  if (stderr && 'unref' in stderr && typeof stderr.unref === 'function') stderr.unref()
  setBusy(false)
  return {
    post(task, payload) {
      // That it has ended is heard from its exit.
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

/** Writes the bytes without a copy of all of them. */
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
 * The service's own cache of compiled code, without which such a process starts by stripping types: .4 s instead of .1,
 * and 28 MB more. Node uses it only where it may be written, so that it is not to be had by a Node that cannot take
 * a permission back; `serveApart` does, before any task.
 */
function cacheOfCompiledCode(): string | null {
  const folder = getCompileCacheDir()
  return folder !== undefined && canDropPermissions(process.versions.node) ? dirname(folder) : null
}

/** Where the machine itself runs out of memory, such a process goes before the service does. */
function chooseFirst(pid: number): void {
  if (process.platform !== 'linux') return
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, '1000')
  } catch {
    // It has ended already, or the machine does not let us; it is a precaution beside the limits.
  }
}

function residentMb(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    // It has just ended, which its exit tells.
    return 0
  }
}

/** Linux counts processor time in hundredths of a second for programs, whatever its own clock does (proc_pid_stat(5)). */
const MS_PER_TICK = 10

function usedCpuMs(pid: number): number | null {
  if (process.platform !== 'linux') return null
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field is the program's name in parentheses, which may hold blanks. utime and stime are the 14th and 15th.
    const [utime, stime] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
    const ticks = Number(utime) + Number(stime)
    return Number.isFinite(ticks) ? ticks * MS_PER_TICK : null
  } catch {
    // It has just ended, which its exit tells.
    return null
  }
}
