/** Revisions of the protocol with a handshake, oldest first. */
export const LEGACY_VERSIONS: readonly string[] = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']

/** The only revision with batches. */
export const BATCH_VERSION = '2025-03-26'

/** What `initialize` answers to a revision it does not know. */
export const LATEST_LEGACY_VERSION = '2025-11-25'

/** Stateless revisions: every request carries its version and capabilities in `_meta`. */
export const MODERN_VERSIONS: readonly string[] = ['2026-07-28']

/** The first stateless revision; a header with this date or a later one asks for the modern era. */
const FIRST_MODERN_VERSION = '2026-07-28'

/** The first revision whose tools have `outputSchema` and their results `structuredContent`. */
export const FIRST_STRUCTURED_VERSION = '2025-06-18'

/** Dates in this form compare as text. Anything else is no revision and is left to the legacy rules. */
export function isModernVersion(version: string | null): boolean {
  return version !== null && /^\d{4}-\d{2}-\d{2}$/.test(version) && version >= FIRST_MODERN_VERSION
}
