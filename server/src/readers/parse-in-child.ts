import { type EndReason, ProcessExit, openChildProcess } from '#workers/child-process.ts'
import { startCpuDeadline } from '#workers/process-status.ts'
import { type Killed, MOST_TRIES, faultOf } from '#workers/kill-reason.ts'
import type { ReaderMemory } from '#workers/reader-memory.ts'
import type { ParseAnswer, ParseTask, Parsed, ParserName } from './parse-worker.ts'

export type ParseLimits = {
  /** Megabytes of heap, and of heap and buffers together. */
  memoryMb: number
  /** Milliseconds of CPU time in total, including process start. */
  killAfterMs: number
}

/** The parser's result, or the reason for its absence. */
export type ParseResult<T> = { kind: 'parsed'; value: T } | Killed

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

/** `where` is the URL of the document, or the name of its parser. */
export type OnFault = (error: unknown, where: string) => void

/**
 * Runs a parser in a new child process, which then ends, so that no document affects the next. Waits for the memory it
 * may use. Retries if the process is ended from outside or the machine is too busy. Rejects with the signal's reason
 * when aborted, and with an error if no process can be started.
 */
export async function parseInChild<K extends ParserName>(
  task: ParseTask<K>,
  limits: ParseLimits,
  {
    signal,
    memory,
    onFault,
    payload,
  }: Reading & { /** Input bytes of parsers that read a payload. */ payload?: Uint8Array },
): Promise<ParseResult<Parsed<K>>> {
  const wantedMb = limits.memoryMb + PROGRAM_MB
  const share = await memory?.reserve(wantedMb, { signal })
  try {
    const within = { ...limits, totalMb: share?.mb ?? wantedMb, payload }
    for (let tries = 1; ; tries++) {
      const result = await parseOnce(task, within, { signal, onFault })
      const isOfDocument = result.kind === 'parsed' || (result.reason !== 'ended' && result.reason !== 'busy')
      if (isOfDocument || tries === MOST_TRIES) return result
    }
  } finally {
    share?.release()
  }
}

async function parseOnce<K extends ParserName>(
  task: ParseTask<K>,
  { memoryMb, totalMb, killAfterMs, payload }: ParseLimits & { totalMb: number; payload: Uint8Array | undefined },
  { signal, onFault }: Pick<Reading, 'signal' | 'onFault'>,
): Promise<ParseResult<Parsed<K>>> {
  signal.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<ParseResult<Parsed<K>>>()
  const onParserFault = (error: unknown) => {
    const fault = faultOf(error)
    if (!fault) return reject(error)
    onFault?.(error, task.name)
    resolve(fault)
  }
  const onEnd = (why: EndReason) => {
    if (why instanceof ProcessExit) onParserFault(why)
    else if (why instanceof Error) reject(why)
    else resolve({ kind: 'killed', reason: why === 'killed' ? 'ended' : why })
  }
  const worker = openChildProcess<ParseTask<K>, ParseAnswer<K>>({
    program: new URL('./parse-worker.ts', import.meta.url),
    args: [task.name],
    heapMb: Math.min(memoryMb, totalMb - LEAST_BESIDE_MB),
    memoryMb: totalMb,
    payload: payload !== undefined,
    onAnswer: (answer) => (answer.ok ? resolve({ kind: 'parsed', value: answer.value }) : onParserFault(answer.error)),
    onEnd,
  })
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  const onOver = (reason: 'timeout' | 'busy') => resolve({ kind: 'killed', reason })
  const stopClock = startCpuDeadline(worker, { limitMs: killAfterMs, onOver })
  try {
    worker.setBusy(true)
    worker.post(task, payload)
    return await promise
  } finally {
    stopClock()
    signal.removeEventListener('abort', abort)
    await worker.end()
  }
}
