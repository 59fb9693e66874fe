/**
 * Why the database cannot do its work: `away` does not answer, `busy` has no connection or lock to give, `full` has no
 * room left, `read-only` takes no changes. With the last two, and with locks, reading goes on.
 */
export type Outage = 'away' | 'busy' | 'full' | 'read-only'

/** The database cannot do its work now, and will again without a restart. Nothing is wrong with what was asked. */
export class StoreUnavailableError extends Error {
  override name = 'StoreUnavailableError'
  readonly outage: Outage

  constructor(outage: Outage, cause: unknown) {
    super(`${SENTENCES[outage]} (${describe(cause)})`, { cause })
    this.outage = outage
  }
}

const SENTENCES: Record<Outage, string> = {
  away: 'The database does not answer',
  busy: 'The database is too busy',
  full: 'The database has no disk space left',
  'read-only': 'The database can only be read',
}

/** The error as callers of the store get it: a `StoreUnavailableError` where `outage` names one, else as it is. */
export function toStoreError(error: unknown, outageOf: (error: unknown) => Outage | null): unknown {
  if (error instanceof StoreUnavailableError) return error
  const outage = outageOf(error)
  return outage === null ? error : new StoreUnavailableError(outage, error)
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // Refused connections to a name with several addresses have a code alone.
  return error.message || ('code' in error && typeof error.code === 'string' ? error.code : error.name)
}
