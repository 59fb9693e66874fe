import { rememberRecent } from '#lib/objects.ts'

/**
 * `away` does not answer, `busy` has no free connection or lock, `full` no space, `read-only` takes no changes, and
 * `refused` takes no request: its keys or its bucket are wrong.
 */
export type Outage = 'away' | 'busy' | 'full' | 'read-only' | 'refused'

/** The database is unusable. The message is one sentence for the operator. */
export class StoreError extends Error {
  override name = 'StoreError'
}

const DATABASE = 'The database'

/** The database, or the object storage, is temporarily unavailable and recovers without a restart. */
export class StoreUnavailableError extends Error {
  override name = 'StoreUnavailableError'
  readonly outage: Outage
  readonly what: string

  constructor(outage: Outage, cause: unknown, what = DATABASE) {
    super(`${what} ${PROBLEMS[outage]} (${describe(cause)})`, { cause })
    this.outage = outage
    this.what = what
  }
}

/** True if bytes outside of the database could not be written or read. The database itself works. */
export const isOfStorage = (error: unknown): boolean =>
  error instanceof StoreError || (error instanceof StoreUnavailableError && error.what !== DATABASE)

const PROBLEMS: Record<Outage, string> = {
  away: 'does not answer',
  busy: 'is too busy',
  full: 'has no disk space left',
  'read-only': 'can only be read',
  refused: 'refuses',
}

/** Converts an error to `StoreUnavailableError` if `outageOf` recognizes an outage, otherwise returns it unchanged. */
export function toStoreError(error: unknown, outageOf: (error: unknown) => Outage | null): unknown {
  const outage = error instanceof StoreUnavailableError ? null : outageOf(error)
  return outage === null ? error : new StoreUnavailableError(outage, error)
}

/** Message of an error. Refused connections to a name with several addresses have only a code. */
export const describe = (error: unknown): string =>
  error instanceof Error ? error.message || codeOf(error) || error.name : String(error)

/** Code of an error of pg, Node's sockets or its resolver. Empty for others. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  return typeof code === 'string' ? code : ''
}

/** Primary result codes after which the same statement can succeed later: https://sqlite.org/rescode.html. */
const RESULT_CODES: Readonly<Record<number, Outage>> = {
  // BUSY and LOCKED, after the handle's own timeout.
  5: 'busy',
  6: 'busy',
  8: 'read-only',
  // IOERR, for example after a disk was removed. Extended codes that mean a full disk arrive as FULL.
  10: 'away',
  // CORRUPT. A disk that fails to read arrives as this, too (unixRead in os_unix.c), and a damaged file as nothing else.
  11: 'away',
  13: 'full',
  // CANTOPEN, for example if the folder of the log is missing or not writable.
  14: 'away',
}

/** The outage behind a failed statement, or null if the statement itself is at fault. */
export function outageOfSqlite(error: unknown): Outage | null {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return null
  return RESULT_CODES[error.errcode & 0xff] ?? null
}

/** SQLSTATEs, and their classes, after which the same statement can succeed later (PostgreSQL 18, appendix A). */
const SQLSTATES: readonly (readonly [RegExp, Outage])[] = [
  [/^53100$/, 'full'],
  // Too many connections, or out of memory.
  [/^53/, 'busy'],
  [/^25006$/, 'read-only'],
  // Connection exceptions, shutdown, crash, startup, errors of the disk and its files, and pages read in part.
  [/^(08|57P0|58|XX001)/, 'away'],
  // Cancelled query, lock timeout, or a transaction that asked nothing for too long.
  [/^(57014|55P03|25P03)$/, 'busy'],
]

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

/** Minimum interval between reports of one kind of outage, however many queries fail. */
const EVERY_MS = 10_000

export type OutageReporter = {
  /** Records the error of a query, and returns it. */
  failed(error: unknown): unknown
  answered(): void
}

/** Reports outages when they begin, and the end of total outages. No single query shows the end of a full disk. */
export function reportOutages(
  { onError, onAnswer }: { onError: (problem: StoreUnavailableError) => void; onAnswer?: (() => void) | undefined },
  monotonic: () => number = () => performance.now(),
): OutageReporter {
  const toldAt = new Map<Outage, number>()
  let isAway = false
  return {
    failed(error) {
      if (!(error instanceof StoreUnavailableError)) return error
      const { outage } = error
      const last = toldAt.get(outage)
      const isNew = outage === 'away' && !isAway
      if (outage === 'away') isAway = true
      if (isNew || last === undefined || monotonic() - last >= EVERY_MS) {
        toldAt.set(outage, monotonic())
        onError(error)
      }
      return error
    },
    answered() {
      if (!isAway) return
      isAway = false
      onAnswer?.()
    },
  }
}

/** Maximum age of cached reads during an outage. A restart takes seconds, a failover minutes. */
export const LAST_KNOWN_MS = 10 * 60_000

/** Reads through. During an outage, returns the value last read, of at most `entries`, for {@link LAST_KNOWN_MS}. */
export function lastKnown<V>(
  load: (key: string) => Promise<V | undefined>,
  { entries, monotonic = () => performance.now() }: { entries: number; monotonic?: () => number },
): (key: string) => Promise<V | undefined> {
  const known = new Map<string, { value: V; readAt: number }>()
  return async (key) => {
    try {
      const value = await load(key)
      if (value === undefined) known.delete(key)
      else rememberRecent(known, key, { value, readAt: monotonic() }, entries)
      return value
    } catch (error) {
      const last = error instanceof StoreUnavailableError ? known.get(key) : undefined
      if (!last || monotonic() - last.readAt > LAST_KNOWN_MS) throw error
      return last.value
    }
  }
}
