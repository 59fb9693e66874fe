import { programAt } from '#lib/place.ts'
import { openChildPool, resultOf } from '#workers/children.ts'
import type { OnFault, TaskResult } from '#workers/kill-reason.ts'
import type { ReaderMemory } from '#workers/reader-memory.ts'
import type { ParseTask, Parsed, ParserName } from './document-worker.ts'

/** Megabytes of heap, and milliseconds of processor time in total, including process start. */
export type ParseLimits = { memoryMb: number; killAfterMs: number }

/**
 * Unpacking an archive of 64 MB takes some 10 seconds. Kept files of an archive have less than 80 MB, but exist twice
 * while they are transferred. A whole archive can exceed the memory.
 */
export const UNPACK: ParseLimits = { memoryMb: 512, killAfterMs: 120_000 }
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

/** Processes for documents, one at a time, that load these parsers before the first one. */
export function openDocumentPool(
  parsers: readonly ParserName[],
  limits: { heapMb: number; memoryMb: number; payload: boolean; hides: string | undefined },
) {
  const program = programAt('readers/document-worker')
  return openChildPool<ParseTask, never>({ program, args: [...parsers], ...limits })
}

/**
 * Runs a parser in a new child process, which then ends, so that no document affects the next. Waits for the memory it
 * may use. Retries if the process is ended from outside or the machine is too busy. Rejects with the signal's reason
 * when aborted, and with an error if no process can be started.
 */
export async function parseInChild<K extends ParserName>(
  task: ParseTask<K>,
  { memoryMb, killAfterMs: deadlineMs }: ParseLimits,
  reading: Reading & { /** Input bytes of parsers that read a payload. */ payload?: Uint8Array },
): Promise<TaskResult<Parsed<K>>> {
  const { signal, memory, onFault, payload } = reading
  const wantedMb = memoryMb + PROGRAM_MB
  const share = await memory?.reserve(wantedMb, { signal })
  const totalMb = share?.mb ?? wantedMb
  const heapMb = Math.min(memoryMb, totalMb - LEAST_BESIDE_MB)
  const limits = { heapMb, memoryMb: totalMb, hides: memory?.hides }
  try {
    await using pool = openDocumentPool([task.name], { ...limits, payload: payload !== undefined })
    return await resultOf(pool.run({ task, queue: '', deadlineMs, payload, signal }), task.name, onFault)
  } finally {
    share?.release()
  }
}
