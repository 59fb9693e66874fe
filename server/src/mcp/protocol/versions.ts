/** Handshake revisions of the protocol, oldest first. */
export const LEGACY_VERSIONS: readonly string[] = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']

/** The only revision with batches. */
export const BATCH_VERSION = '2025-03-26'

/** The answer of `initialize` to an unknown revision. */
export const LATEST_LEGACY_VERSION = '2025-11-25'

/** Stateless revisions: every request carries its version and capabilities in `_meta`. */
export const MODERN_VERSIONS: readonly string[] = ['2026-07-28']

/** The first stateless revision. A header with this date or a later one selects the modern era. */
const FIRST_MODERN_VERSION = '2026-07-28'

/** The first revision with `outputSchema` on tools and `structuredContent` in results. */
export const FIRST_STRUCTURED_VERSION = '2025-06-18'

/** Dates in this form compare as text. Other values are no revision and follow the legacy rules. */
export function isModernVersion(version: string | null): boolean {
  return version !== null && /^\d{4}-\d{2}-\d{2}$/.test(version) && version >= FIRST_MODERN_VERSION
}
