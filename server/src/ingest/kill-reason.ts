import { oneLine } from './extract/one-line.ts'
import type { FailReason } from './reasons.ts'

/**
 * Why a document was not read: it took too much of the processor or of the memory, it crashed its process, that process
 * was ended from outside again and again (`ended`), the machine was too busy to run it (`busy`), or its parser failed
 * over it (`fault`).
 */
export type KillReason = 'timeout' | 'memory' | 'crash' | 'ended' | 'busy' | 'fault'

/** A document that was not read. `cause` is what its parser said, if that is what failed. */
export type Killed = { kind: 'killed'; reason: KillReason; cause?: string }

/** A document whose process is ended from outside is tried so often: the system may be short of memory for a moment. */
export const MOST_TRIES = 3

/** Characters of a parser's message that are shown. It may quote the document. */
const MAX_CAUSE = 120

const PREDICATES: Record<Exclude<KillReason, 'fault'>, string> = {
  timeout: 'took too long',
  memory: 'took too much memory',
  crash: 'crashed the process that read it',
  ended: `did not succeed, because its process was ended from outside ${MOST_TRIES} times (by the operator, or by a system that is short of memory)`,
  busy: `did not succeed, because the machine was too busy ${MOST_TRIES} times. Refresh the source to try again`,
}

/** What a failure of a parser or of its process means for its document; null where it is an error of the machine. */
export function faultOf(error: unknown): Killed | null {
  if (isOfMachine(error)) return null
  const message = oneLine(error instanceof Error ? error.message : String(error))
  const cause = message.length > MAX_CAUSE ? `${message.slice(0, MAX_CAUSE)}…` : message
  return { kind: 'killed', reason: 'fault', cause: cause.replace(/\.$/, '') }
}

/**
 * A sentence about it: `what` is its subject, as in `Reading the PDF`. `advice` is a sentence for those who can make the
 * document smaller, and follows where that could help.
 */
export function killSentence(
  what: string,
  { reason, cause = 'unknown error' }: Omit<Killed, 'kind'>,
  advice?: string,
): string {
  const sentence = reason === 'fault' ? `${what} failed: ${cause}.` : `${what} ${PREDICATES[reason]}.`
  const isOfSize = reason === 'timeout' || reason === 'memory' || reason === 'crash'
  return advice !== undefined && isOfSize ? `${sentence} ${advice}` : sentence
}

/** The reason and the sentence that are reported about it. */
export function reasonOfKill(
  killed: Omit<Killed, 'kind'>,
  what = 'Reading the page',
): { reason: FailReason; detail: string } {
  const isTooMuch = killed.reason === 'timeout' || killed.reason === 'memory'
  return { reason: isTooMuch ? 'too_slow_to_read' : 'unreadable', detail: killSentence(what, killed) }
}

/** System errors and missing programs, which would fail every document. A message is all that is left of an error here. */
function isOfMachine(error: unknown): boolean {
  return error instanceof Error && /^(?:E[A-Z]{3,}:|Cannot find (?:module|package) )/.test(error.message)
}
