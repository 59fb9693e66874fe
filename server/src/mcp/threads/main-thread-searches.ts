import type { ToolOutcome, ToolPoolNote, ToolRunner, ToolTask, ToolThreadData, ToolThreadNote } from './tool-runner.ts'

type Ask = (method: string, args: unknown[], signal: AbortSignal) => Promise<unknown>

/**
 * What a search may cost in the main thread, which serves everybody meanwhile: bytes of the server's segments, and
 * characters of the call's arguments. With segments of 5 MB, the dearest searches found took 4 ms, and a first one 42 ms,
 * on a loaded machine.
 */
const MOST = { segmentBytes: 8_000_000, argumentLength: 200 }

/**
 * Searches in the main thread: without a message to a second thread, whose compiled code and caches cost memory and
 * time. Only cheap searches run here, and only when no calls have overlapped for a second.
 */
export class MainThreadSearches {
  readonly #data: ToolThreadData
  readonly #tell: (note: ToolThreadNote) => void
  #runner: ToolRunner | undefined

  constructor(data: ToolThreadData, tell: (note: ToolThreadNote) => void) {
    this.#data = data
    this.#tell = tell
  }

  /** True if a task may run here, on a server whose segments are small. */
  isCheap(task: ToolTask): boolean {
    if (this.#data.embeddingModel !== null || task.kind !== 'call' || task.tool !== 'search_docs') return false
    return JSON.stringify(task.args).length <= MOST.argumentLength
  }

  areSmall(segmentBytes: number): boolean {
    return segmentBytes <= MOST.segmentBytes
  }

  /** Runs a task. `ask` serves its requests. Without limits of time and memory. */
  async run(task: ToolTask, ask: Ask, signal = new AbortController().signal): Promise<ToolOutcome> {
    // The tools are loaded with the first search, so that they do not delay the start.
    if (this.#runner === undefined) {
      const { ToolRunner: Runner } = await import('./tool-runner.ts')
      this.#runner ??= new Runner(this.#data, this.#tell)
    }
    return this.#runner.run(task, { ask: (method, ...args) => ask(method, args, signal), signal })
  }

  onNote(note: ToolPoolNote): void {
    if (!('rest' in note)) this.#runner?.onNote(note)
  }
}
