import { type EndReason, openApartProcess } from '#lib/apart-process.ts'
import { type KillReason, MOST_TRIES } from './kill-reason.ts'
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

/**
 * Runs a parser once in a process of its own, which ends with it: nothing that one document leaves behind is met by the
 * next. One that is ended from outside is tried again. Rejects with the signal's reason when aborted, and with the parser's own error when it has a bug.
 */
export async function parseApart<K extends ParserName>(
  task: ParseTask<K>,
  limits: ParseLimits,
  signal: AbortSignal,
): Promise<ApartResult<Parsed<K>>> {
  for (let tries = 1; ; tries++) {
    const result = await parseOnce(task, limits, signal)
    if (result !== 'killed') return result
    if (tries === MOST_TRIES) return { kind: 'killed', reason: 'ended' }
  }
}

async function parseOnce<K extends ParserName>(
  task: ParseTask<K>,
  { memoryMb, killAfterMs }: ParseLimits,
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
    heapMb: memoryMb,
    memoryMb: memoryMb + PROGRAM_MB,
    onAnswer: (answer) => (answer.ok ? resolve({ kind: 'parsed', value: answer.value }) : reject(answer.error)),
    onEnd,
  })
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  const deadline = setTimeout(() => resolve({ kind: 'killed', reason: 'timeout' }), killAfterMs)
  try {
    worker.setBusy(true)
    worker.post(task)
    return await promise
  } finally {
    clearTimeout(deadline)
    signal.removeEventListener('abort', abort)
    await worker.end()
  }
}
