const IN_PATH = /\/((?:19|20)\d\d)[/-](0[1-9]|1[0-2])(?:[/-](0[1-9]|[12]\d|3[01]))?(?=[/.-]|$)/
const IN_TITLE = /\b((?:19|20)\d\d)-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])\b/

/** Time of a page by the date in its path or title, in milliseconds, or null. */
export function pageDate(path: string, title: string): number | null {
  const found = IN_PATH.exec(path) ?? IN_TITLE.exec(title)
  if (found === null) return null
  const [, year, month, day] = found
  return Date.UTC(Number(year), Number(month) - 1, day === undefined ? 1 : Number(day))
}
