/**
 * Why the database is unavailable: `away` does not answer, `busy` has no free connection or lock, `full` has no space
 * left, `read-only` accepts no changes. Reads still work with the last two, and with locks.
 */
export type Outage = 'away' | 'busy' | 'full' | 'read-only'

/** The database is temporarily unavailable and recovers without a restart. The query is not at fault. */
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

/** Converts an error to `StoreUnavailableError` if `outageOf` recognizes an outage, otherwise returns it unchanged. */
export function toStoreError(error: unknown, outageOf: (error: unknown) => Outage | null): unknown {
  if (error instanceof StoreUnavailableError) return error
  const outage = outageOf(error)
  return outage === null ? error : new StoreUnavailableError(outage, error)
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // Refused connections to a name with several addresses have only a code.
  return error.message || ('code' in error && typeof error.code === 'string' ? error.code : error.name)
}
