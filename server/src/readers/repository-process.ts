import { resultOf } from '#workers/children.ts'
import type { TaskResult } from '#workers/kill-reason.ts'
import type { MemoryShare } from '#workers/reader-memory.ts'
import type { ParseTask, Parsed } from './document-worker.ts'
import { type Reading, openDocumentPool } from './parse-in-child.ts'

/** Parsers of repositories and remote MCP servers. */
const PARSERS = ['read', 'localApi', 'remote'] as const
type Name = (typeof PARSERS)[number]

/** Megabytes per process, heap and buffers together. Each language grammar adds some 10 MB. */
const READ_MB = 320
/** Memory beside the heap: the program, and its input. */
const BESIDE_HEAP_MB = 96
/** A process keeps its memory this long while others wait for it. Starting one takes a tenth of this. */
const SLICE_MS = 2_000
const KILL_AFTER_MS = { read: 10_000, localApi: 20_000, remote: 10_000 }

/**
 * A process that reads one repository or remote MCP server task by task, for one caller at a time. A file that exceeds
 * its time or memory fails and ends the process; the next task gets a new one.
 */
export class RepositoryProcess implements AsyncDisposable {
  readonly #killAfterMs: Record<Name, number>
  readonly #reading: Reading
  #pool: ReturnType<typeof openDocumentPool> | null = null
  /** The memory grant of the process, its time, and whether others wait for it. */
  #share: MemoryShare | null = null
  #since = 0
  #isWanted = false
  #isBusy = false
  #slice: NodeJS.Timeout | undefined

  /** `killAfterMs` is processor time per task. */
  constructor(reading: Reading, { killAfterMs = {} }: { killAfterMs?: Partial<Record<Name, number>> } = {}) {
    this.#reading = reading
    this.#killAfterMs = { ...KILL_AFTER_MS, ...killAfterMs }
  }

  /** Runs one task. Rejects with the signal's reason when aborted, and with an error if no process can be started. */
  async run<K extends Name>(name: K, input: ParseTask<K>['input']): Promise<TaskResult<Parsed<K>>> {
    const { signal, onFault } = this.#reading
    this.#isBusy = true
    clearTimeout(this.#slice)
    try {
      const pool = (this.#pool ??= await this.#open())
      const task = { name, input } as ParseTask
      const run = pool.run({ task, queue: '', deadlineMs: this.#killAfterMs[name], signal })
      return await resultOf(run, 'path' in input ? input.path : name, onFault)
    } finally {
      this.#isBusy = false
      if (this.#isWanted) await this.#yield()
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end()
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

  async #open(): Promise<ReturnType<typeof openDocumentPool>> {
    const { signal, memory } = this.#reading
    this.#isWanted = false
    this.#share = (await memory?.reserve(READ_MB, { signal, onWanted: () => this.#onWanted() })) ?? null
    this.#since = performance.now()
    const memoryMb = this.#share?.mb ?? READ_MB
    const heapMb = memoryMb - BESIDE_HEAP_MB
    return openDocumentPool(PARSERS, { heapMb, memoryMb, payload: false, hides: memory?.hides })
  }

  async #end(): Promise<void> {
    clearTimeout(this.#slice)
    const [pool, share] = [this.#pool, this.#share]
    this.#pool = null
    this.#share = null
    await pool?.[Symbol.asyncDispose]()
    share?.release()
  }
}
