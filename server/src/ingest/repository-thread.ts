import { Worker } from 'node:worker_threads'
import type { RepositoryAnswer, RepositoryTasks } from './repository-worker.ts'

/** What came of a task: its own answer, or why the thread was ended over it. */
export type ThreadResult<T> = { kind: 'done'; value: T } | { kind: 'killed'; reason: 'timeout' | 'memory' }

export type RepositoryThreadOptions = {
  /** Megabytes of heap, and of buffers beside it. */
  memoryMb?: number
  /** Milliseconds for a file, and for an archive. */
  killAfterMs?: { read: number; unpack: number }
}

/** What is kept of an archive stays below 80 MB, and the archive itself below 128. */
const MEMORY_MB = 320
const KILL_AFTER_MS = { read: 10_000, unpack: 120_000 }
/** How often the buffers' memory is looked at, which no limit of the thread covers. */
const LOOK_EVERY_MS = 200

/**
 * A thread that reads one repository, task by task, and is used by one caller at a time. A file that takes too long or
 * too much memory costs itself and the thread; the next task gets a new one.
 */
export class RepositoryThread implements AsyncDisposable {
  readonly #memoryMb: number
  readonly #killAfterMs: { read: number; unpack: number }
  readonly #signal: AbortSignal
  #worker: Worker | null = null

  constructor(
    signal: AbortSignal,
    { memoryMb = MEMORY_MB, killAfterMs = KILL_AFTER_MS }: RepositoryThreadOptions = {},
  ) {
    this.#memoryMb = memoryMb
    this.#killAfterMs = killAfterMs
    this.#signal = signal
  }

  /**
   * Runs one task; the bytes of its input are transferred and cannot be used afterwards. Rejects with the signal's
   * reason when aborted, and with the error itself when the reading has a bug.
   */
  async run<K extends keyof RepositoryTasks>(
    name: K,
    input: RepositoryTasks[K]['input'],
  ): Promise<ThreadResult<RepositoryTasks[K]['output']>> {
    this.#signal.throwIfAborted()
    const worker = (this.#worker ??= this.#open())
    const { promise, resolve, reject } = Promise.withResolvers<ThreadResult<RepositoryTasks[K]['output']>>()
    const onMessage = (answer: RepositoryAnswer) => {
      // The answer is that of the task: a worker has one at a time.
      if (answer.ok) resolve({ kind: 'done', value: answer.value })
      else reject(answer.error)
    }
    const onError = (error: unknown) =>
      isOutOfMemory(error) ? resolve({ kind: 'killed', reason: 'memory' }) : reject(error)
    const onAbort = () => reject(this.#signal.reason)
    worker.on('message', onMessage).on('error', onError)
    this.#signal.addEventListener('abort', onAbort, { once: true })
    const deadline = setTimeout(() => resolve({ kind: 'killed', reason: 'timeout' }), this.#killAfterMs[name])
    const watch = setInterval(
      () => void this.#look(worker, () => resolve({ kind: 'killed', reason: 'memory' })),
      LOOK_EVERY_MS,
    )
    try {
      worker.postMessage({ name, input }, [input.bytes.buffer])
      const result = await promise
      if (result.kind === 'killed') await this.#end()
      return result
    } catch (error) {
      await this.#end()
      throw error
    } finally {
      clearTimeout(deadline)
      clearInterval(watch)
      this.#signal.removeEventListener('abort', onAbort)
      worker.off('message', onMessage).off('error', onError)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end()
  }

  #open(): Worker {
    return new Worker(new URL('./repository-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: this.#memoryMb },
    })
  }

  async #look(worker: Worker, onTooMuch: () => void): Promise<void> {
    try {
      const { external_memory } = await worker.getHeapStatistics()
      if (external_memory > this.#memoryMb << 20) onTooMuch()
    } catch {
      // The worker has just ended, and its answer or error is on its way.
    }
  }

  async #end(): Promise<void> {
    const worker = this.#worker
    this.#worker = null
    // A worker that is being ended may still fail; nobody waits for it any more.
    worker?.on('error', () => undefined)
    await worker?.terminate()
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
}
