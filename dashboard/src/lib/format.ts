/** Makes a formatter when it is first used: it takes milliseconds, and a screen needs few of them. */
function lazy<T>(make: () => T): () => T {
  let made: T | null = null
  return () => (made ??= make())
}

const numbers = lazy(() => new Intl.NumberFormat())
const dates = lazy(() => new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' }))
const utcDays = lazy(() => new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' }))
const localHours = lazy(
  () =>
    new Intl.DateTimeFormat(undefined, {
      day: 'numeric',
      month: 'short',
      hour: '2-digit',
      minute: '2-digit',
    }),
)
const signs = lazy(() => new Intl.NumberFormat(undefined, { signDisplay: 'exceptZero' }))
const clock = lazy(() => new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' }))
const relative = lazy(() => new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' }))
const percents = lazy(() => new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 }))
const tenths = lazy(() => new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 }))

export const number = (value: number): string => numbers().format(value)
export const percent = (share: number): string => percents().format(share)
export const dateTime = (iso: string): string => dates().format(new Date(iso))
/** Counts of days are in UTC: in local time, their begin can be on the day before. */
export const utcDay = (at: number): string => utcDays().format(at)
export const day = (iso: string): string => utcDay(Date.parse(iso))
export const localHour = (at: number): string => localHours().format(at)
export const signed = (value: number): string => signs().format(value)
export const time = (iso: string): string => clock().format(new Date(iso))

/** `1 page`, `2 pages`. */
export function count(value: number, one: string, many = `${one}s`): string {
  return `${number(value)} ${value === 1 ? one : many}`
}

/** A duration of work, such as `0.8 s`. */
export function duration(ms: number): string {
  return ms < 1_000 ? `${numbers().format(Math.round(ms))} ms` : `${tenths().format(ms / 1_000)} s`
}

const SIZES = ['kB', 'MB', 'GB', 'TB'] as const

/** A size such as `12.3 MB`. */
export function bytes(size: number): string {
  if (size < 1_000) return count(size, 'byte')
  const power = Math.min(SIZES.length, Math.floor(Math.log10(size) / 3))
  return `${tenths().format(size / 1_000 ** power)} ${SIZES[power - 1]}`
}

const SPANS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** Such as `3 minutes ago` or `in 2 days`. */
export function ago(iso: string, now = Date.now()): string {
  const distance = (Date.parse(iso) - now) / 1_000
  for (const [unit, size] of SPANS) {
    if (Math.abs(distance) >= size) return relative().format(Math.round(distance / size), unit)
  }
  return relative().format(0, 'second')
}

/** Time left, such as `about 40 s` or `about 3 min`. */
export function left(secondsLeft: number): string {
  return secondsLeft < 90
    ? `about ${Math.max(1, Math.round(secondsLeft))} s`
    : `about ${Math.round(secondsLeft / 60)} min`
}

/** The path of an address on the site of its source; the whole address on another site. */
export function shortAddress(address: string, source?: string): string {
  if (!URL.canParse(address)) return address
  const { host, pathname, search, hash, protocol } = new URL(address)
  if (!/^https?:$/.test(protocol)) return address
  const path = decoded(pathname + search + hash)
  const isSame = source !== undefined && URL.canParse(source) && new URL(source).host === host
  return isSame ? path : host + (path === '/' ? '' : path)
}

function decoded(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}
