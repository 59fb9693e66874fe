import { type EndReason, ProcessExit, openApartProcess } from '#lib/apart-process.ts'
import { startCpuDeadline } from '#lib/cpu-deadline.ts'
import { type Killed, MOST_TRIES, faultOf } from './kill-reason.ts'
import type { ReaderMemory } from './reader-memory.ts'
import type { ParseAnswer, ParseTask, Parsed, ParserName } from './parse-worker.ts'

export type ParseLimits = {
  /** Megabytes of heap, and of heap and buffers together. */
  memoryMb: number
  /** Milliseconds of processor time for everything, the start of its process included. */
  killAfterMs: number
}

/** What came of it: the parser's own answer, or why there is none. */
export type ApartResult<T> = { kind: 'parsed'; value: T } | Killed

/** Beside what the parser may take: the program. */
const PROGRAM_MB = 128
/** So much of it is there also where less memory is to be had than was asked for. */
const LEAST_BESIDE_MB = 64

export type Reading = {
  signal: AbortSignal
  /** Shared with what else is read; without one the limits of the document alone hold. */
  memory?: ReaderMemory | undefined
  /** Hears of bugs that parsers meet on a document. */
  onFault?: OnFault | undefined
}

/** `where` is the address of the document, or the name of its parser. */
export type OnFault = (error: unknown, where: string) => void

/**
 * Runs a parser once in a process of its own, which ends with it: nothing that one document leaves behind is met by the
 * next. It waits for the memory that it may take. One that is ended from outside, or does not get its time of a busy
 * machine, is tried again. Rejects with the signal's reason when aborted, and with an error when no process can be had.
 */
export async function parseApart<K extends ParserName>(
  task: ParseTask<K>,
  limits: ParseLimits,
  {
    signal,
    memory,
    onFault,
    payload,
  }: Reading & { /** Bytes of a parser that reads them as its payload. */ payload?: Uint8Array },
): Promise<ApartResult<Parsed<K>>> {
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
): Promise<ApartResult<Parsed<K>>> {
  signal.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<ApartResult<Parsed<K>>>()
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
  const worker = openApartProcess<ParseTask<K>, ParseAnswer<K>>({
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
