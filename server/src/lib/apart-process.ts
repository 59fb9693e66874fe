import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { getCompileCacheDir } from 'node:module'
import { dirname, join } from 'node:path'
import { canDropPermissions } from './drop-permission.ts'
import { endWithThisProcess, hasShell } from './end-with-this-process.ts'

export type ApartOptions<Answer> = {
  /** The program, which begins with `serveApart`. */
  program: URL
  /** Arguments of the program. */
  args?: string[]
  /** Megabytes of heap. */
  heapMb: number
  /** Megabytes in all, buffers and program included. Seen to while it is busy, on Linux only. */
  memoryMb: number
  /** For a program that stands on native code: the wall is lower then. `environment` is all that it gets of one. */
  native?: { environment: Readonly<Record<string, string>> }
  onAnswer: (answer: Answer) => void
  /** What stands by, to end it with this process; without it a thread of its own does. For tests of that. */
  shell?: string
  /** It ended without being asked to: over its memory, or by a fault of its program. Nothing comes after it. */
  onEnd: (why: 'memory' | Error) => void
}

export type ApartProcess<Task> = {
  /** Gives it a task: anything that can be cloned. */
  post(task: Task): void
  /** While it is busy it keeps this process alive, and its memory is looked at. */
  setBusy(busy: boolean): void
  /** Ends it at once. No handler is called any more. */
  end(): Promise<void>
}

/** How often its memory is looked at: a decompression bomb fills some 100 MB in this time. */
const LOOK_EVERY_MS = 100
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

/**
 * A process for work on what strangers wrote. A thread is no wall: one allocation that is large enough ends its whole
 * process, whatever limits it has. It gets nothing of the environment, may start no program, and write no file from its
 * first task on.
 */
export function openApartProcess<Task, Answer>(options: ApartOptions<Answer>): ApartProcess<Task> {
  const cache = options.native ? null : cacheOfCompiledCode()
  const guarded = hasShell(options.shell) || !canDropPermissions(process.versions.node)
  const child = fork(options.program, options.args ?? [], {
    execArgv: [
      '--permission',
      '--allow-fs-read=*',
      ...(cache === null ? [] : [`--allow-fs-write=${join(cache, '*')}`]),
      ...(options.native ? ['--allow-addons'] : []),
      ...(guarded ? [] : WATCH_FLAGS),
      ...YOUNG_FLAGS,
      `--max-old-space-size=${options.heapMb}`,
    ],
    env: options.native?.environment ?? { ...ENVIRONMENT, ...(cache === null ? {} : { NODE_COMPILE_CACHE: cache }) },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const { pid, stderr } = child
  let lastWords = ''
  let ended = false
  let watch: NodeJS.Timeout | undefined
  const exited = once(child, 'exit').catch(() => [])
  const guard = pid === undefined || !guarded ? null : endWithThisProcess(pid)
  const finish = (why?: 'memory' | Error) => {
    clearInterval(watch)
    if (ended) return
    ended = true
    if (why) options.onEnd(why)
  }
  if (pid !== undefined) chooseFirst(pid)
  stderr?.setEncoding('utf8').on('data', (text: string) => (lastWords = (lastWords + text).slice(-LAST_WORDS)))
  child.on('message', (answer) => ended || options.onAnswer(answer as Answer))
  child.on('error', (cause) => finish(new Error('A process for reading could not be started or spoken to.', { cause })))
  // A signal is our own, the kernel's short of memory, or V8's, whose heap was full or asked for more than there can be.
  child.on('exit', (code, signal) =>
    finish(signal ? 'memory' : new Error(`A process for reading ended with ${code}. ${lastWords.trim()}`)),
  )
  child.on('exit', () => guard?.dismiss())

  const look = () => {
    if (pid !== undefined && residentMb(pid) > options.memoryMb) child.kill('SIGKILL')
  }
  const setBusy = (busy: boolean) => {
    clearInterval(watch)
    watch = busy && process.platform === 'linux' ? setInterval(look, LOOK_EVERY_MS).unref() : undefined
    if (busy) child.ref()
    else child.unref()
    if (busy) child.channel?.ref()
    else child.channel?.unref()
  }
  // A pipe that nothing is waited for on.
  if (stderr && 'unref' in stderr && typeof stderr.unref === 'function') stderr.unref()
  setBusy(false)
  return {
    // That it has ended is heard from its exit.
    post: (task) => void child.send(task as object, () => undefined),
    setBusy,
    async end() {
      finish()
      if (child.exitCode !== null || child.signalCode !== null || pid === undefined) return
      child.ref()
      child.kill('SIGKILL')
      await exited
    },
  }
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
