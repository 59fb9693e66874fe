import type { Passage } from '#search/passage.ts'
import type { AnswerCitation } from './answer.ts'

const MOST = 3

/**
 * What to ask next: the headings of passages that were found as well and are not cited, each with its page. A heading
 * that is a question stands for itself.
 */
export function followUpsOf(found: readonly Passage[], citations: readonly AnswerCitation[]): string[] {
  const cited = new Set(citations.map(({ url }) => url))
  const asks = new Set<string>()
  for (const { url, title, heading } of found) {
    const last = heading.split(' › ').at(-1) ?? ''
    if (cited.has(url) || last === '' || title === '' || asks.size >= MOST) continue
    asks.add(last.endsWith('?') ? last : `${title}: ${last}`)
  }
  return [...asks]
}
