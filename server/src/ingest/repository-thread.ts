import { type ApartProcess, type EndReason, openApartProcess } from '#lib/apart-process.ts'
import { type KillReason, MOST_TRIES } from './kill-reason.ts'
import type { RepositoryAnswer, RepositoryTask, RepositoryTasks } from './repository-worker.ts'

/** What came of a task: its own answer, or why the process was ended over it. */
export type ThreadResult<T> = { kind: 'done'; value: T } | { kind: 'killed'; reason: KillReason }

export type RepositoryThreadOptions = {
  /** Megabytes of heap, and of buffers beside it. */
  memoryMb?: number
  /** Milliseconds for a file, and for an archive. */
  killAfterMs?: Partial<KillAfter>
}

type KillAfter = Record<keyof RepositoryTasks, number>

/** What is kept of an archive stays below 80 MB, and the archive itself below 128. */
const MEMORY_MB = 320
const KILL_AFTER_MS = { read: 10_000, describe: 20_000, remote: 10_000, unpack: 120_000 }

/**
 * A process that reads one repository, or what one remote MCP server says, task by task, and is used by one caller at a time. A file that takes too long or
 * too much memory costs itself and the process; the next task gets a new one.
 */
export class RepositoryThread implements AsyncDisposable {
  readonly #memoryMb: number
  readonly #killAfterMs: KillAfter
  readonly #signal: AbortSignal
  #worker: ApartProcess<RepositoryTask> | null = null
  /** Takes the answer to the task in hand. */
  #onAnswer: (answer: RepositoryAnswer) => void = () => undefined
  #onEnd: (why: EndReason) => void = () => undefined

  constructor(signal: AbortSignal, { memoryMb = MEMORY_MB, killAfterMs }: RepositoryThreadOptions = {}) {
    this.#memoryMb = memoryMb
    this.#killAfterMs = { ...KILL_AFTER_MS, ...killAfterMs }
    this.#signal = signal
  }

  /** Runs one task. Rejects with the signal's reason when aborted, and with the error itself when the reading has a bug. */
  async run<K extends keyof RepositoryTasks>(
    name: K,
    input: RepositoryTasks[K]['input'],
  ): Promise<ThreadResult<RepositoryTasks[K]['output']>> {
    for (let tries = 1; ; tries++) {
      const result = await this.#runOnce(name, input)
      if (result !== 'killed') return result
      if (tries === MOST_TRIES) return { kind: 'killed', reason: 'ended' }
    }
  }

  async #runOnce<K extends keyof RepositoryTasks>(
    name: K,
    input: RepositoryTasks[K]['input'],
  ): Promise<ThreadResult<RepositoryTasks[K]['output']> | 'killed'> {
    this.#signal.throwIfAborted()
    const worker = (this.#worker ??= this.#open())
    const { promise, resolve, reject } = Promise.withResolvers<ThreadResult<RepositoryTasks[K]['output']> | 'killed'>()
    this.#onAnswer = (answer) => {
      // The answer is that of the task: a process has one at a time.
      if (answer.ok) resolve({ kind: 'done', value: answer.value as RepositoryTasks[K]['output'] })
      else reject(answer.error)
    }
    this.#onEnd = (why) => {
      if (why instanceof Error) reject(why)
      else resolve(why === 'killed' ? why : { kind: 'killed', reason: why })
    }
    const onAbort = () => reject(this.#signal.reason)
    this.#signal.addEventListener('abort', onAbort, { once: true })
    const deadline = setTimeout(() => resolve({ kind: 'killed', reason: 'timeout' }), this.#killAfterMs[name])
    try {
      worker.setBusy(true)
      // The compiler cannot see that the input is that of the name.
      worker.post({ name, input } as RepositoryTask)
      const result = await promise
      if (result === 'killed' || result.kind === 'killed') await this.#end()
      else worker.setBusy(false)
      return result
    } catch (error) {
      await this.#end()
      throw error
    } finally {
      clearTimeout(deadline)
      this.#signal.removeEventListener('abort', onAbort)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end()
  }

  #open(): ApartProcess<RepositoryTask> {
    return openApartProcess<RepositoryTask, RepositoryAnswer>({
      program: new URL('./repository-worker.ts', import.meta.url),
      heapMb: this.#memoryMb,
      memoryMb: 2 * this.#memoryMb,
      onAnswer: (answer) => this.#onAnswer(answer),
      onEnd: (why) => this.#onEnd(why),
    })
  }

  async #end(): Promise<void> {
    const worker = this.#worker
    this.#worker = null
    await worker?.end()
  }
}
