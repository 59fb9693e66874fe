/**
 * Parses a Retry-After header (RFC 9110, section 10.2.3): seconds or a date. Returns milliseconds from `now`
 * (milliseconds since 1970), at least zero. Null if the header is absent or invalid.
 */
export function readRetryAfter(value: string | undefined, now: number): number | null {
  const text = value?.trim() ?? ''
  if (/^\d{1,15}$/.test(text)) return Number(text) * 1000
  // Dates contain letters. Without this check, Date.parse would find a year in almost anything.
  const date = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? null : Math.max(0, date - now)
}
