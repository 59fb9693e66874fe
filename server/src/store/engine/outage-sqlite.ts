import type { Outage } from './store-unavailable.ts'

/** Primary result codes after which the same statement can succeed later: https://sqlite.org/rescode.html. */
const RESULT_CODES: Readonly<Record<number, Outage>> = {
  // BUSY and LOCKED, after the handle's own timeout.
  5: 'busy',
  6: 'busy',
  8: 'read-only',
  // IOERR, for example after a disk was removed. Extended codes that mean a full disk arrive as FULL.
  10: 'away',
  13: 'full',
  // CANTOPEN, for example if the folder of the log is missing or not writable.
  14: 'away',
}

/** The outage behind a failed statement, or null if the statement itself is at fault. */
export function outageOfSqlite(error: unknown): Outage | null {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return null
  return RESULT_CODES[error.errcode & 0xff] ?? null
}
