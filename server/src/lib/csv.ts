/** What spreadsheets take for the beginning of a formula, in ASCII and in the wide forms that they fold to it. */
const FORMULA = /^[=+\-@\t\r\n|%＝＋－＠]/

/**
 * One line of CSV (RFC 4180), every cell quoted. A text that a spreadsheet would take for a formula gets an apostrophe
 * in front, by which spreadsheets know text (OWASP, "CSV Injection"). null is an empty cell.
 */
export function csvLine(cells: readonly unknown[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = typeof value === 'string' ? value : value === null || value === undefined ? '' : JSON.stringify(value)
  return `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`
}
