import { MOST_TRIES, type OnFault, type TaskResult } from '#workers/kill-reason.ts'
import type { MemoryShare, ReaderMemory } from '#workers/reader-memory.ts'
import type { TaskChild } from '#workers/task-child.ts'
import type { ParseTask, Parsed } from './document-worker.ts'
import { type Reading, isOfDocument, openDocumentChild } from './parse-in-child.ts'

/** Parsers of repositories and remote MCP servers. */
const PARSERS = ['read', 'localApi', 'remote'] as const
type Name = (typeof PARSERS)[number] | 'unpack'

export type RepositoryProcessOptions = {
  /** Milliseconds of CPU time per task. */
  killAfterMs?: Partial<Record<Name, number>>
}

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
const KILL_AFTER_MS = { read: 10_000, localApi: 20_000, remote: 10_000, unpack: 120_000 }

/**
 * A process that reads one repository or remote MCP server task by task, for one caller at a time. A file that exceeds
 * its time or memory fails and ends the process; the next task gets a new one.
 */
export class RepositoryProcess implements AsyncDisposable {
  readonly #memory: ReaderMemory | undefined
  readonly #killAfterMs: Record<Name, number>
  readonly #signal: AbortSignal
  readonly #onFault: OnFault | undefined
  #child: TaskChild<ParseTask> | null = null
  /** The memory grant of the process, its time, and whether others wait for it. */
  #share: MemoryShare | null = null
  #since = 0
  #isWanted = false
  #isBusy = false
  #slice: NodeJS.Timeout | undefined

  constructor({ signal, memory, onFault }: Reading, { killAfterMs }: RepositoryProcessOptions = {}) {
    this.#memory = memory
    this.#killAfterMs = { ...KILL_AFTER_MS, ...killAfterMs }
    this.#signal = signal
    this.#onFault = onFault
  }

  /** Runs one task. Rejects with the signal's reason when aborted, and with an error if no process can be started. */
  async run<K extends Name>(
    name: K,
    input: ParseTask<K>['input'],
    payload?: Uint8Array,
  ): Promise<TaskResult<Parsed<K>>> {
    this.#isBusy = true
    clearTimeout(this.#slice)
    try {
      // Unpacking needs the most memory, so it gets a process that ends afterwards.
      if (name === 'unpack') await this.#end()
      for (let tries = 1; ; tries++) {
        const isFresh = (this.#child?.done ?? 0) === 0
        const result = await this.#runOnce({ name, input }, payload)
        // Memory of earlier files may not be collected yet, so retry in a fresh process.
        if (result.kind === 'killed' && result.reason === 'memory' && !isFresh) continue
        if (isOfDocument(result) || tries === MOST_TRIES) return result
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

  async #runOnce<K extends Name>(task: ParseTask<K>, payload: Uint8Array | undefined): Promise<TaskResult<Parsed<K>>> {
    this.#signal.throwIfAborted()
    // The process was ended from outside while idle.
    if (this.#child?.isDead) await this.#end()
    const child = (this.#child ??= await this.#open(task.name))
    const where = 'path' in task.input ? task.input.path : task.name
    const limits = { limitMs: this.#killAfterMs[task.name], where, onFault: this.#onFault }
    try {
      const result = await child.run<Parsed<K>>(task, { signal: this.#signal, ...limits, payload })
      // A process whose task had a fault is replaced as well.
      if (result.kind === 'killed') await this.#end()
      return result
    } catch (error) {
      await this.#end()
      throw error
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end()
  }

  async #open(name: Name): Promise<TaskChild<ParseTask>> {
    const wanted = name === 'unpack' ? UNPACK_MB : READ_MB
    const wish = { signal: this.#signal, onWanted: () => this.#onWanted() }
    this.#isWanted = false
    this.#share = (await this.#memory?.reserve(wanted, wish)) ?? null
    this.#since = performance.now()
    const memoryMb = this.#share?.mb ?? wanted
    const isUnpack = name === 'unpack'
    const limits = { heapMb: memoryMb - BESIDE_HEAP_MB, memoryMb, payload: isUnpack }
    return openDocumentChild(isUnpack ? [name] : PARSERS, limits)
  }

  async #end(): Promise<void> {
    clearTimeout(this.#slice)
    const [child, share] = [this.#child, this.#share]
    this.#child = null
    this.#share = null
    await child?.[Symbol.asyncDispose]()
    share?.release()
  }
}
