/** A mapping as somebody wrote it, of which nothing is known. */
export type Loose = Record<string, unknown>

export function isRecord(value: unknown): value is Loose {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The mapping, or an empty one for anything else. */
export function recordOf(value: unknown): Loose {
  return isRecord(value) ? value : {}
}

/** The list, or an empty one for anything else. */
export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** A text, number or boolean as trimmed text; nothing for anything else. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value.trim()
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

/** The texts of a list. */
export function textsOf(value: unknown): string[] {
  return listOf(value).map(textOf).filter(Boolean)
}
