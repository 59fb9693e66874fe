import { type EndReason, openApartProcess } from '#lib/apart-process.ts'
import { type KillReason, MOST_TRIES } from './kill-reason.ts'
import type { ReaderMemory } from './reader-memory.ts'
import type { ParseAnswer, ParseTask, Parsed, ParserName } from './parse-worker.ts'

export type ParseLimits = {
  /** Megabytes of heap, and of heap and buffers together. */
  memoryMb: number
  /** Milliseconds for everything, the start of its process included. */
  killAfterMs: number
}

/** What came of it: the parser's own answer, or why it was ended. */
export type ApartResult<T> = { kind: 'parsed'; value: T } | { kind: 'killed'; reason: KillReason }

/** Beside what the parser may take: the program. */
const PROGRAM_MB = 128
/** So much of it is there also where less memory is to be had than was asked for. */
const LEAST_BESIDE_MB = 64

export type Reading = {
  signal: AbortSignal
  /** Shared with what else is read; without one the limits of the document alone hold. */
  memory?: ReaderMemory | undefined
}

/**
 * Runs a parser once in a process of its own, which ends with it: nothing that one document leaves behind is met by the
 * next. It waits for the memory that it may take. One that is ended from outside is tried again. Rejects with the signal's reason when aborted, and with the parser's own error when it has a bug.
 */
export async function parseApart<K extends ParserName>(
  task: ParseTask<K>,
  limits: ParseLimits,
  {
    signal,
    memory,
    payload,
  }: Reading & { /** Bytes of a parser that reads them as its payload. */ payload?: Uint8Array },
): Promise<ApartResult<Parsed<K>>> {
  const wantedMb = limits.memoryMb + PROGRAM_MB
  const share = await memory?.reserve(wantedMb, { signal })
  try {
    const within = { ...limits, totalMb: share?.mb ?? wantedMb, payload }
    for (let tries = 1; ; tries++) {
      const result = await parseOnce(task, within, signal)
      if (result !== 'killed') return result
      if (tries === MOST_TRIES) return { kind: 'killed', reason: 'ended' }
    }
  } finally {
    share?.release()
  }
}

async function parseOnce<K extends ParserName>(
  task: ParseTask<K>,
  { memoryMb, totalMb, killAfterMs, payload }: ParseLimits & { totalMb: number; payload: Uint8Array | undefined },
  signal: AbortSignal,
): Promise<ApartResult<Parsed<K>> | 'killed'> {
  signal.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<ApartResult<Parsed<K>> | 'killed'>()
  const onEnd = (why: EndReason) => {
    if (why instanceof Error) reject(why)
    else resolve(why === 'killed' ? why : { kind: 'killed', reason: why })
  }
  const worker = openApartProcess<ParseTask<K>, ParseAnswer<K>>({
    program: new URL('./parse-worker.ts', import.meta.url),
    args: [task.name],
    heapMb: Math.min(memoryMb, totalMb - LEAST_BESIDE_MB),
    memoryMb: totalMb,
    payload: payload !== undefined,
    onAnswer: (answer) => (answer.ok ? resolve({ kind: 'parsed', value: answer.value }) : reject(answer.error)),
    onEnd,
  })
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  const deadline = setTimeout(() => resolve({ kind: 'killed', reason: 'timeout' }), killAfterMs)
  try {
    worker.setBusy(true)
    worker.post(task, payload)
    return await promise
  } finally {
    clearTimeout(deadline)
    signal.removeEventListener('abort', abort)
    await worker.end()
  }
}
