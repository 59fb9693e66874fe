import type { Outage } from './store-unavailable.ts'

/** Primary result codes after which the same statement can succeed later: https://sqlite.org/rescode.html. */
const RESULT_CODES: Readonly<Record<number, Outage>> = {
  // BUSY and LOCKED, after the handle's own time-out.
  5: 'busy',
  6: 'busy',
  8: 'read-only',
  // IOERR, as from a disk that is gone; the extended codes that mean a full disk come as FULL.
  10: 'away',
  13: 'full',
  // CANTOPEN, as where the folder of the log has gone or cannot be written.
  14: 'away',
}

/** What keeps SQLite from its work, by an error of a statement; null where it is the statement's own. */
export function outageOfSqlite(error: unknown): Outage | null {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return null
  return RESULT_CODES[error.errcode & 0xff] ?? null
}
