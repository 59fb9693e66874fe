import { Worker } from 'node:worker_threads'
import type { ParseTask, Parsed, ParserName } from './parse-worker.ts'

export type ParseLimits = {
  /** Megabytes of heap, and of buffers beside it. */
  memoryMb: number
  /** Milliseconds for everything, the worker's start included. */
  killAfterMs: number
}

/** What came of it: the parser's own answer, or why it was ended. */
export type ApartResult<T> = { kind: 'parsed'; value: T } | { kind: 'killed'; reason: 'timeout' | 'memory' }

/** How often a worker's memory is looked at: a decompression bomb fills some 100 MB in this time. */
const LOOK_EVERY_MS = 100

/**
 * Runs a parser once in a thread of its own, which ends with it: nothing that one document leaves behind is met by the
 * next. Rejects with the signal's reason when aborted, and with the parser's own error when it has a bug.
 */
export async function parseApart<K extends ParserName>(
  task: ParseTask<K>,
  { memoryMb, killAfterMs }: ParseLimits,
  signal: AbortSignal,
): Promise<ApartResult<Parsed<K>>> {
  signal.throwIfAborted()
  const worker = new Worker(new URL('./parse-worker.ts', import.meta.url), {
    workerData: task,
    // What libraries print about bad input is no news for the service's log.
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  })
  const { promise, resolve, reject } = Promise.withResolvers<ApartResult<Parsed<K>>>()
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  const deadline = setTimeout(() => resolve({ kind: 'killed', reason: 'timeout' }), killAfterMs)
  const watch = setInterval(() => {
    // Buffers are outside the heap and its limit.
    worker.getHeapStatistics().then(
      ({ external_memory }) => {
        if (external_memory > memoryMb << 20) resolve({ kind: 'killed', reason: 'memory' })
      },
      // It has just ended, and its answer or error is on its way.
      () => undefined,
    )
  }, LOOK_EVERY_MS)
  worker.on('message', (value: Parsed<K>) => resolve({ kind: 'parsed', value }))
  worker.on('error', (error) => {
    if (isOutOfMemory(error)) resolve({ kind: 'killed', reason: 'memory' })
    else reject(error)
  })
  worker.on('exit', () => reject(new Error(`The parser "${task.name}" ended without an answer.`)))
  try {
    return await promise
  } finally {
    clearTimeout(deadline)
    clearInterval(watch)
    signal.removeEventListener('abort', abort)
    await worker.terminate()
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
}
