import { MOST_TRIES, type OnFault, type TaskResult } from '#workers/kill-reason.ts'
import type { ReaderMemory } from '#workers/reader-memory.ts'
import { TaskChild } from '#workers/task-child.ts'
import type { ParseTask, Parsed, ParserName } from './document-worker.ts'

export type ParseLimits = {
  /** Megabytes of heap, and of heap and buffers together. */
  memoryMb: number
  /** Milliseconds of CPU time in total, including process start. */
  killAfterMs: number
}

/** Memory of the program, beside that of the parser. */
const PROGRAM_MB = 128
/** Minimum memory beside the heap, kept even if less memory is granted than requested. */
const LEAST_BESIDE_MB = 64

export type Reading = {
  signal: AbortSignal
  /** Memory shared with other readers; without it only the limits of the document apply. */
  memory?: ReaderMemory | undefined
  /** Called for parser bugs. */
  onFault?: OnFault | undefined
}

/** A process for documents that loads these parsers before the first one. */
export function openDocumentChild(
  parsers: readonly ParserName[],
  limits: { heapMb: number; memoryMb: number; payload: boolean },
): TaskChild<ParseTask> {
  return new TaskChild({ program: new URL('./document-worker.ts', import.meta.url), args: [...parsers], ...limits })
}

/** True if the result says something about the document, and not only about the machine. */
export const isOfDocument = (result: TaskResult<unknown>): boolean =>
  result.kind === 'done' || (result.reason !== 'ended' && result.reason !== 'busy')

/**
 * Runs a parser in a new child process, which then ends, so that no document affects the next. Waits for the memory it
 * may use. Retries if the process is ended from outside or the machine is too busy. Rejects with the signal's reason
 * when aborted, and with an error if no process can be started.
 */
export async function parseInChild<K extends ParserName>(
  task: ParseTask<K>,
  { memoryMb, killAfterMs: limitMs }: ParseLimits,
  {
    signal,
    memory,
    onFault,
    payload,
  }: Reading & { /** Input bytes of parsers that read a payload. */ payload?: Uint8Array },
): Promise<TaskResult<Parsed<K>>> {
  const wantedMb = memoryMb + PROGRAM_MB
  const share = await memory?.reserve(wantedMb, { signal })
  const totalMb = share?.mb ?? wantedMb
  const limits = { heapMb: Math.min(memoryMb, totalMb - LEAST_BESIDE_MB), memoryMb: totalMb }
  try {
    for (let tries = 1; ; tries++) {
      signal.throwIfAborted()
      await using child = openDocumentChild([task.name], { ...limits, payload: payload !== undefined })
      const run = { signal, limitMs, where: task.name, onFault, payload }
      const result = await child.run<Parsed<K>>(task, run)
      if (isOfDocument(result) || tries === MOST_TRIES) return result
    }
  } finally {
    share?.release()
  }
}
