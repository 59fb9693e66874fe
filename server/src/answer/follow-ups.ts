import type { Passage } from '#search/passage.ts'
import type { AnswerCitation } from './answer.ts'

const MOST = 3

/**
 * Suggests follow-up questions: headings of uncited passages, each with its page title. A heading phrased as a question
 * is used alone.
 */
export function followUpsOf(found: readonly Passage[], citations: readonly AnswerCitation[]): string[] {
  const cited = new Set(citations.map(({ url }) => url))
  const asks = new Set<string>()
  for (const { url, turns, title, headings } of found) {
    const last = headings.at(-1) ?? ''
    const isCited = cited.has(url) || turns.some((turn) => cited.has(turn.url))
    if (isCited || last === '' || title === '' || asks.size >= MOST) continue
    asks.add(last.endsWith('?') ? last : `${title}: ${last}`)
  }
  return [...asks]
}
