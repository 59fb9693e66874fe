/** Returns milliseconds since 1970. Injected, so that tests can stop time. */
export type Clock = () => number

/** The calendar month in UTC around a time: name, start and end. In milliseconds since 1970. */
export function monthOf(now: number) {
  const date = new Date(now)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  return { name: date.toISOString().slice(0, 7), start: Date.UTC(year, month), end: Date.UTC(year, month + 1) }
}

/** A time in milliseconds since 1970 as ISO 8601 in UTC. */
export const isoTime = (at: number): string => new Date(at).toISOString()

/** The same for a time that may be absent. */
export const isoTimeOrNull = (at: number | null): string | null => (at === null ? null : isoTime(at))

type WithIsoTimes<Row> = {
  [Name in keyof Row]: Name extends `${string}At`
    ? Row[Name] extends number | null
      ? string | Exclude<Row[Name], number>
      : Row[Name]
    : Row[Name]
}

/** A row with its times (numbers in members that end in `At`) as ISO 8601 in UTC. */
export function isoTimes<Row extends object>(row: Row): WithIsoTimes<Row> {
  const entries = Object.entries(row).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === 'number' && name.endsWith('At') ? isoTime(value) : value,
  ])
  return Object.fromEntries(entries) as WithIsoTimes<Row>
}

/** `40 seconds`, `12 minutes`, `3 hours`. Rounds up. */
export function waitInWords(seconds: number): string {
  const [count, unit] =
    seconds < 100 ? [seconds, 'second'] : seconds < 6_000 ? [seconds / 60, 'minute'] : [seconds / 3_600, 'hour']
  const whole = Math.ceil(count)
  return `${whole} ${unit}${whole === 1 ? '' : 's'}`
}
