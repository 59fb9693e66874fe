/**
 * Why reading a document was ended: it took too long or too much memory, it crashed its process, or that process was ended
 * from outside again and again (`ended`).
 */
export type KillReason = 'timeout' | 'memory' | 'crash' | 'ended'

/** A document whose process is ended from outside is tried so often: the system may be short of memory for a moment. */
export const MOST_TRIES = 3

const PREDICATES: Record<KillReason, string> = {
  timeout: 'took too long',
  memory: 'took too much memory',
  crash: 'crashed the process that read it',
  ended: `did not succeed, because its process was ended from outside ${MOST_TRIES} times (by the operator, or by a system that is short of memory)`,
}

/** A sentence about it: `what` is its subject, as in `Reading the PDF`. */
export function killSentence(what: string, reason: KillReason): string {
  return `${what} ${PREDICATES[reason]}.`
}
