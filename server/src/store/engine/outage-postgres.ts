import type { Outage } from './store-unavailable.ts'

/** SQLSTATEs, and their classes, after which the same statement can succeed later (PostgreSQL 18, appendix A). */
const SQLSTATES: readonly (readonly [RegExp, Outage])[] = [
  [/^53100$/, 'full'],
  // Too many connections, or out of memory.
  [/^53/, 'busy'],
  [/^25006$/, 'read-only'],
  // Connection exceptions, shutdown, crash, startup, I/O errors.
  [/^(08|57P0|58030)/, 'away'],
  // Cancelled query, or lock timeout.
  [/^(57014|55P03)$/, 'busy'],
]

/** Codes of Node's sockets and resolver. */
const NETWORK = /^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_|EADDRNOTAVAIL|ENOENT|EMFILE|ENFILE)/

/** Errors that pg detects itself have no codes. */
const MESSAGES =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|Query read timeout|timeout expired)/

/** The outage behind a failed query, or null if the query itself is at fault. */
export function outageOfPostgres(error: unknown): Outage | null {
  if (!(error instanceof Error)) return null
  const code = codeOf(error)
  if (/^[0-9A-Z]{5}$/.test(code) && 'severity' in error) {
    return SQLSTATES.find(([pattern]) => pattern.test(code))?.[1] ?? null
  }
  return NETWORK.test(code) || MESSAGES.test(error.message) ? 'away' : null
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  return typeof code === 'string' ? code : ''
}
