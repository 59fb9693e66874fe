/**
 * Replaces every NUL in texts and member names by U+FFFD, as browsers do. PostgreSQL cannot store NUL, and both engines
 * must give the same answer.
 */
export function withoutNul<T>(value: T): T {
  if (typeof value === 'string') return value.replaceAll('\0', '\uFFFD') as T
  if (Array.isArray(value)) return value.map(withoutNul) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [withoutNul(name), withoutNul(member)])) as T
}
