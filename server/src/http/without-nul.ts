/**
 * The value with every NUL in its texts, also in names of members, replaced by U+FFFD as browsers do. PostgreSQL has no
 * text with a NUL in it, and what one engine takes and the other does not would be answered differently.
 */
export function withoutNul<T>(value: T): T {
  if (typeof value === 'string') return value.replaceAll('\0', '\uFFFD') as T
  if (Array.isArray(value)) return value.map(withoutNul) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [withoutNul(name), withoutNul(member)])) as T
}
