import { type TaskProcess, type EndReason, ProcessExit, openChildProcess } from '#workers/child-process.ts'
import { startCpuDeadline } from '#workers/process-status.ts'
import { type Killed, MOST_TRIES, faultOf } from '#workers/kill-reason.ts'
import type { MemoryShare, ReaderMemory } from '#workers/reader-memory.ts'
import type { RepositoryAnswer, RepositoryTask, RepositoryTasks } from './repository-worker.ts'
import type { OnFault, Reading } from './parse-in-child.ts'

/** The result of a task, or the reason for its absence. */
export type ProcessResult<T> = { kind: 'done'; value: T } | Killed

export type RepositoryProcessOptions = {
  /** Milliseconds of CPU time per task. */
  killAfterMs?: Partial<KillAfter>
}

type Output = RepositoryTasks[keyof RepositoryTasks]['output']

type KillAfter = Record<keyof RepositoryTasks, number>

/**
 * Megabytes per process, heap and buffers together. Kept files of an archive have less than 80 MB, but exist twice
 * while they are transferred. A whole archive can exceed the memory.
 */
const UNPACK_MB = 640
/** Each language grammar adds some 10 MB. */
const READ_MB = 320
/** Memory beside the heap: the program, and its input. */
const BESIDE_HEAP_MB = 96
/** A process keeps its memory this long while others wait for it. Starting one takes a tenth of this. */
const SLICE_MS = 2_000
const KILL_AFTER_MS = { read: 10_000, describe: 20_000, remote: 10_000, unpack: 120_000 }

/**
 * A process that reads one repository or remote MCP server task by task, for one caller at a time. A file that exceeds
 * its time or memory fails and ends the process; the next task gets a new one.
 */
export class RepositoryProcess implements AsyncDisposable {
  readonly #memory: ReaderMemory | undefined
  readonly #killAfterMs: KillAfter
  readonly #signal: AbortSignal
  readonly #onFault: OnFault | undefined
  #worker: TaskProcess<RepositoryTask> | null = null
  /** The memory grant of the process, its time, and whether others wait for it. */
  #share: MemoryShare | null = null
  #since = 0
  #isWanted = false
  #isBusy = false
  #isDead = false
  /** Tasks completed by the process. */
  #done = 0
  #slice: NodeJS.Timeout | undefined
  /** Receives the answer to the current task. */
  #onAnswer: (answer: RepositoryAnswer) => void = () => undefined
  #onEnd: (why: EndReason) => void = () => undefined

  constructor({ signal, memory, onFault }: Reading, { killAfterMs }: RepositoryProcessOptions = {}) {
    this.#memory = memory
    this.#killAfterMs = { ...KILL_AFTER_MS, ...killAfterMs }
    this.#signal = signal
    this.#onFault = onFault
  }

  /** Runs one task. Rejects with the signal's reason when aborted, and with an error if no process can be started. */
  async run<K extends keyof RepositoryTasks>(
    name: K,
    input: RepositoryTasks[K]['input'],
    payload?: Uint8Array,
  ): Promise<ProcessResult<RepositoryTasks[K]['output']>> {
    this.#isBusy = true
    clearTimeout(this.#slice)
    try {
      // Unpacking needs the most memory, so it gets a process that ends afterwards.
      if (name === 'unpack') await this.#end()
      for (let tries = 1; ; tries++) {
        const isFresh = this.#done === 0
        // TypeScript cannot link input and output to the name.
        const result = await this.#runOnce({ name, input } as RepositoryTask, payload)
        // Memory of earlier files may not be collected yet, so retry in a fresh process.
        if (result.kind === 'killed' && result.reason === 'memory' && !isFresh) continue
        const isOfFile = result.kind === 'done' || (result.reason !== 'ended' && result.reason !== 'busy')
        if (isOfFile || tries === MOST_TRIES) return result
      }
    } finally {
      this.#isBusy = false
      if (name === 'unpack') await this.#end()
      else if (this.#isWanted) await this.#yield()
    }
  }

  /** Ends the process after its slice of time, so that waiting readers get its memory. */
  async #yield(): Promise<void> {
    const left = this.#since + SLICE_MS - performance.now()
    if (left <= 0) return this.#end()
    clearTimeout(this.#slice)
    this.#slice = setTimeout(() => this.#isBusy || void this.#end(), left)
  }

  #onWanted(): void {
    this.#isWanted = true
    if (!this.#isBusy) void this.#yield()
  }

  async #runOnce(task: RepositoryTask, payload: Uint8Array | undefined): Promise<ProcessResult<Output>> {
    this.#signal.throwIfAborted()
    // The process was ended from outside while idle.
    if (this.#isDead) await this.#end()
    const worker = (this.#worker ??= await this.#open(task.name))
    this.#signal.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<ProcessResult<Output>>()
    const onParserFault = (error: unknown) => {
      const fault = faultOf(error)
      if (!fault) return reject(error)
      this.#onFault?.(error, 'path' in task.input ? task.input.path : task.name)
      resolve(fault)
    }
    this.#onAnswer = (answer) => {
      // A process has one task at a time, so the answer belongs to this one.
      if (answer.ok) resolve({ kind: 'done', value: answer.value })
      else onParserFault(answer.error)
    }
    this.#onEnd = (why) => {
      if (why instanceof ProcessExit) onParserFault(why)
      else if (why instanceof Error) reject(why)
      else resolve({ kind: 'killed', reason: why === 'killed' ? 'ended' : why })
    }
    const onAbort = () => reject(this.#signal.reason)
    this.#signal.addEventListener('abort', onAbort, { once: true })
    const limitMs = this.#killAfterMs[task.name]
    const stopClock = startCpuDeadline(worker, { limitMs, onOver: (reason) => resolve({ kind: 'killed', reason }) })
    try {
      worker.setBusy(true)
      worker.post(task, payload)
      const result = await promise
      if (result.kind === 'killed') await this.#end()
      else {
        this.#done++
        worker.setBusy(false)
      }
      return result
    } catch (error) {
      await this.#end()
      throw error
    } finally {
      stopClock()
      this.#signal.removeEventListener('abort', onAbort)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end()
  }

  async #open(name: keyof RepositoryTasks): Promise<TaskProcess<RepositoryTask>> {
    const wanted = name === 'unpack' ? UNPACK_MB : READ_MB
    const wish = { signal: this.#signal, onWanted: () => this.#onWanted() }
    this.#isWanted = false
    this.#isDead = false
    this.#share = (await this.#memory?.reserve(wanted, wish)) ?? null
    this.#since = performance.now()
    const memoryMb = this.#share?.mb ?? wanted
    return openChildProcess<RepositoryTask, RepositoryAnswer>({
      program: new URL('./repository-worker.ts', import.meta.url),
      heapMb: memoryMb - BESIDE_HEAP_MB,
      memoryMb,
      payload: name === 'unpack',
      onAnswer: (answer) => this.#onAnswer(answer),
      onEnd: (why) => {
        this.#isDead = true
        this.#onEnd(why)
      },
    })
  }

  async #end(): Promise<void> {
    clearTimeout(this.#slice)
    const worker = this.#worker
    const share = this.#share
    this.#worker = null
    this.#share = null
    this.#done = 0
    await worker?.end()
    share?.release()
  }
}
