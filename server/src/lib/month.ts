/** A calendar month in UTC: its name, and its start and end in milliseconds since 1970. */
export type Month = { name: string; start: number; end: number }

/** The month that contains a time, in milliseconds since 1970. */
export function monthOf(now: number): Month {
  const date = new Date(now)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  return { name: date.toISOString().slice(0, 7), start: Date.UTC(year, month), end: Date.UTC(year, month + 1) }
}
