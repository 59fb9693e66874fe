/** A page is fetched again after a week, however long its server calls it fresh. */
const MOST_MS = 7 * 24 * 60 * 60 * 1000

/** Until when a response is fresh (RFC 9111, section 4.2), in milliseconds since 1970. Null if it says nothing. */
export function freshUntil(headers: Readonly<Record<string, string>>, now: number): number | null {
  const control = headers['cache-control'] ?? ''
  if (/\bno-(?:cache|store)\b/i.test(control)) return null
  const [, maxAge] = /\bmax-age="?(\d{1,10})/i.exec(control) ?? []
  const sentAt = Date.parse(headers['date'] ?? '') || now
  const lifetime = maxAge === undefined ? Date.parse(headers['expires'] ?? '') - sentAt : Number(maxAge) * 1000
  const left = lifetime - (Number(headers['age']) || 0) * 1000
  return left > 0 ? now + Math.min(left, MOST_MS) : null
}
