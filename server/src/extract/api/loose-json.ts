/** An unvalidated mapping. */
export type Loose = Record<string, unknown>

export function isRecord(value: unknown): value is Loose {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns a mapping unchanged, and an empty one for any other value. */
export function recordOf(value: unknown): Loose {
  return isRecord(value) ? value : {}
}

/** Returns a list unchanged, and an empty one for any other value. */
export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** Converts a string, number or boolean to trimmed text, and any other value to an empty string. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value.trim()
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

/** Returns the non-empty texts of a list. */
export function textsOf(value: unknown): string[] {
  return listOf(value).map(textOf).filter(Boolean)
}
