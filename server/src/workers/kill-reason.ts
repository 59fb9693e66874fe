import { oneLine } from '#lib/text/one-line.ts'

/** Why a document was not read. `ended`: by others, repeatedly; `busy`: too little CPU time; `fault`: a parser bug. */
export type KillReason = 'timeout' | 'memory' | 'crash' | 'ended' | 'busy' | 'fault'

/** A document that was not read. `cause` is the parser's message for a `fault`. */
export type Killed = { kind: 'killed'; reason: KillReason; cause?: string }

/** The result of a task, or the reason for its absence. */
export type TaskResult<T> = { kind: 'done'; value: T } | Killed

/** Called for bugs in a parser. `where` is the URL of the document, or the name of its parser. */
export type OnFault = (error: unknown, where: string) => void

/** Tries for a task that loses its worker without fault: the system may be short of memory for a moment. */
export const MOST_TRIES = 3

/** Characters shown of a parser's message, which may quote the document. */
const MAX_CAUSE = 120

const PREDICATES: Record<Exclude<KillReason, 'fault'>, string> = {
  timeout: 'took too long',
  memory: 'took too much memory',
  crash: 'crashed the process that read it',
  ended: `did not succeed, because its process was ended from outside ${MOST_TRIES} times (by the operator, or by a system that is short of memory)`,
  busy: `did not succeed, because the machine was too busy ${MOST_TRIES} times. Refresh the source to try again`,
}

/** Classifies an error of a parser or its process; null for errors of the machine. */
export function faultOf(error: unknown): Killed | null {
  if (isOfMachine(error)) return null
  const message = oneLine(error instanceof Error ? error.message : String(error))
  const cause = message.length > MAX_CAUSE ? `${message.slice(0, MAX_CAUSE)}…` : message
  return { kind: 'killed', reason: 'fault', cause: cause.replace(/\.$/, '') }
}

/** A sentence for the report on `what`, as in `Reading the PDF`. `advice` is added if a smaller document would help. */
export function killSentence(
  what: string,
  { reason, cause = 'unknown error' }: Omit<Killed, 'kind'>,
  advice?: string,
): string {
  const sentence = reason === 'fault' ? `${what} failed: ${cause}.` : `${what} ${PREDICATES[reason]}.`
  const isOfSize = reason === 'timeout' || reason === 'memory' || reason === 'crash'
  return advice !== undefined && isOfSize ? `${sentence} ${advice}` : sentence
}

/** System errors and missing modules, which would fail every document. Only the message of an error arrives here. */
function isOfMachine(error: unknown): boolean {
  return error instanceof Error && /^(?:E[A-Z]{3,}:|Cannot find (?:module|package) )/.test(error.message)
}
