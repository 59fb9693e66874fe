import { oneLine } from '../one-line.ts'
import { plainInline } from '../plain-inline.ts'

/** A summary longer than this is a description. */
const MAX_LENGTH = 120

/** A summary as part of a title, and as text where it is more than that: some authors put whole pages there. */
export function splitSummary(summary: string): { headline: string; text: string } {
  const [first = ''] = summary.split('\n', 1)
  const line = plainInline(oneLine(first)).replace(/[.:]$/, '')
  if (line.length > MAX_LENGTH) return { headline: '', text: summary }
  return { headline: line, text: first === summary ? '' : summary }
}
