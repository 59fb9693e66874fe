const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const MONTH = '(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\.?'
const NUMERIC = /(?<![\d.])((?:19|20)\d{2})[-/](\d{1,2})[-/](\d{1,2})(?![\d.])/
const MONTH_FIRST = new RegExp(`\\b${MONTH} (\\d{1,2})(?:st|nd|rd|th)?,? +((?:19|20)\\d{2})`, 'i')
const DAY_FIRST = new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)? +${MONTH},? +((?:19|20)\\d{2})`, 'i')
const MONTH_ONLY = new RegExp(`\\b${MONTH} +((?:19|20)\\d{2})`, 'i')

/**
 * The first date in a line, as an ISO 8601 day: 2024-03-01, 2024/3/1, `March 1, 2024` or `1 March 2024`. A month
 * without a day means its first day. Null if there is none.
 */
export function findDate(text: string): string | null {
  const numeric = NUMERIC.exec(text)
  if (numeric) return iso(numeric[1], Number(numeric[2]), numeric[3])
  const monthFirst = MONTH_FIRST.exec(text)
  if (monthFirst) return iso(monthFirst[3], monthOf(monthFirst[1]), monthFirst[2])
  const dayFirst = DAY_FIRST.exec(text)
  if (dayFirst) return iso(dayFirst[3], monthOf(dayFirst[2]), dayFirst[1])
  const monthOnly = MONTH_ONLY.exec(text)
  return monthOnly ? iso(monthOnly[2], monthOf(monthOnly[1]), '1') : null
}

function monthOf(name: string | undefined): number {
  return MONTHS.indexOf((name ?? '').slice(0, 3).toLowerCase()) + 1
}

function iso(year: string | undefined, month: number, day: string | undefined): string | null {
  const days = Number(day)
  if (month < 1 || month > 12 || days < 1 || days > 31) return null
  return `${year}-${String(month).padStart(2, '0')}-${String(days).padStart(2, '0')}`
}
