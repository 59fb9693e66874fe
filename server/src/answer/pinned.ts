import { type Passage, type PinnedPassage, withFences } from '#search/passage.ts'
import type { Answer, AnswerCitation } from './answer.ts'
import { isInjection } from './injections.ts'
import { citation, escapeMarks, NOTHING } from './quote.ts'

/** Pages cited besides the pinned sections. */
const BESIDE = 2

/**
 * The sections that the owner pinned to a question, whole and each with its citation, then the pages that `answer`, the
 * one without pins, cites. The confidence stays that of `answer`: a pin says what to show, not how sure the service is.
 */
export function pinnedFirst(pinned: readonly PinnedPassage[], answer: Answer): Answer {
  const shown = withFences(pinned).flatMap((passage, at) => {
    const text = quotedText(passage)
    return text === '' ? [] : [{ passage, text, isCut: pinned[at]?.isCut === true }]
  })
  if (shown.length === 0) return answer
  const addresses = new Set(shown.map(({ passage }) => passage.url))
  const others = answer.citations.filter(({ url }) => !addresses.has(url)).slice(0, BESIDE)
  const beside = others.map((each, at): AnswerCitation => ({ ...each, n: shown.length + at + 1, quote: NOTHING.text }))
  const marks = beside.map(({ n }) => `[${n}]`).join(' ')
  return {
    ...answer,
    answer: [
      ...shown.map(({ text, isCut }, at) => `${text}\n\n(${isCut ? 'the beginning of' : 'from'} [${at + 1}])`),
      ...(beside.length > 0 ? [`See also: ${marks}.`] : []),
    ].join('\n\n'),
    citations: [
      ...shown.map(({ passage }, at) => citation(at + 1, passage, { text: passage.passage.trim(), start: 0 })),
      ...beside,
    ],
  }
}

/** The text of a section without blocks that address the model which reads it. */
function quotedText({ passage, blocks }: Passage): string {
  const kept = blocks
    .map(({ kind, start, end }) => ({ isCode: kind === 'code', text: passage.slice(start, end) }))
    .filter(({ text }) => !isInjection(text))
  return kept.map(({ isCode, text }) => (isCode ? text : escapeMarks(text))).join('\n\n')
}
