import { oneLine } from '#lib/text/one-line.ts'
import { plainInline } from '#documents/model/plain-inline.ts'

/** Maximum length in characters. A longer summary is a description. */
const MAX_LENGTH = 120

/** Splits a summary into a headline for the title and a text. Some authors write whole pages into summaries. */
export function splitSummary(summary: string): { headline: string; text: string } {
  const [first = ''] = summary.split('\n', 1)
  const line = plainInline(oneLine(first)).replace(/[.:]$/, '')
  if (line.length > MAX_LENGTH) return { headline: '', text: summary }
  return { headline: line, text: first === summary ? '' : summary }
}
