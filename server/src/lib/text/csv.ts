/** First characters of spreadsheet formulas, in ASCII and in the full-width forms that spreadsheets fold to it. */
const FORMULA = /^[=+\-@\t\r\n|%＝＋－＠]/

/**
 * One line of CSV (RFC 4180), every cell quoted. Text that looks like a formula gets a leading apostrophe (OWASP, "CSV
 * Injection"). null is an empty cell.
 */
export function csvLine(cells: readonly unknown[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = typeof value === 'string' ? value : value === null || value === undefined ? '' : JSON.stringify(value)
  return `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`
}
