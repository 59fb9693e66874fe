import { addressInPassage } from '#search/passage-of-chunk.ts'
import type { Passage } from '#search/passage.ts'
import type { AnswerCitation, Confidence, RemarkedAnswer } from './answer.ts'
import { followUpsOf } from './follow-ups.ts'
import { questionTerms, termsOf } from './terms.ts'
import { unitsOf } from './units.ts'
import type { Statement, Verified } from './verify-answer.ts'

/** Builds an answer from verified statements. Numbers citations in order of first use. */
export function composeWritten(
  { statements, dropped }: Verified,
  passages: readonly Passage[],
  extractive: Confidence,
): RemarkedAnswer {
  const numbers = new Map<number, number>()
  for (const { passages: places } of statements)
    for (const place of places) if (!numbers.has(place)) numbers.set(place, numbers.size + 1)
  const marks = (places: readonly number[]) => places.map((place) => `[${numbers.get(place)}]`).join(' ')
  const groups = [...Map.groupBy(statements, ({ group }) => group).values()]
  const citations = [...numbers].flatMap(([place, n]): AnswerCitation[] => {
    const passage = passages[place]
    if (!passage) return []
    const { title, heading, sourceId, score } = passage
    const said = statements.filter((statement) => statement.passages.includes(place))
    const { quote, start } = quoteFor(said, passage)
    return [{ n, title, heading, url: addressInPassage(passage, start), sourceId, score, quote }]
  })
  return {
    answer: groups.map((group) => writeGroup(group, marks)).join('\n\n'),
    confidence: confidenceOf(extractive, dropped),
    citations,
    followUps: followUpsOf(passages, citations),
    ...(dropped === 0
      ? {}
      : { remark: `${dropped} of the model's statements were left out: the sources do not bear them out.` }),
  }
}

function writeGroup(group: readonly Statement[], marks: (places: readonly number[]) => string): string {
  const [first] = group
  // Text after the last line of a fence or a table would break it.
  if (first?.kind === 'code' || first?.kind === 'table')
    return group.map(({ text, passages }) => `${text}\n\n(from ${marks(passages)})`).join('\n\n')
  const written = group.map(({ text, passages }) => withMarks(text, marks(passages)))
  return written.join(first?.kind === 'item' ? '\n' : ' ')
}

/** Inserts the marks before the full stop, or before the colon that introduces a list. */
function withMarks(text: string, marks: string): string {
  const stop = /(?<![.!?。:])[.!?。:]+$/.exec(text)?.[0] ?? ''
  return `${stop ? text.slice(0, -stop.length) : text} ${marks}${stop}`
}

/**
 * Derived from the extractive answer's confidence: checking the model's sentences one by one proves no more than that.
 */
function confidenceOf(extractive: Confidence, dropped: number): Confidence {
  if (extractive === 'none' || extractive === 'low') return 'low'
  return dropped > 0 ? 'medium' : extractive
}

/** Quotes the unit of the passage that shares most words with the statements, verbatim. */
function quoteFor(said: readonly Statement[], { passage, blocks }: Passage): { quote: string; start: number } {
  const terms = new Set(said.flatMap(({ text }) => questionTerms(text)))
  let best = { start: 0, end: 0 }
  let most = -1
  for (const unit of unitsOf(passage, blocks)) {
    const hits = new Set(termsOf(passage.slice(unit.start, unit.end)).filter((term) => terms.has(term))).size
    if (hits <= most) continue
    best = unit
    most = hits
  }
  const quote = passage.slice(best.start, Math.min(best.end, best.start + 600)).toWellFormed()
  return { quote, start: best.start }
}
