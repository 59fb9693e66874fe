import { withoutSection } from '#lib/addresses/page-address.ts'
import type { Passage } from '#search/passage.ts'
import type { Answer, AnswerCitation, Confidence, RemarkedAnswer } from './answer.ts'
import { citation, citedText, NOTHING, type Quote, writeQuote } from './quote.ts'
import { questionTerms, termsOf } from './asked-terms.ts'
import { unitsOf } from './units.ts'
import type { Statement, Verified } from './verify-answer.ts'

/** Minimum number of pages to cite, unless the confidence is high. */
const NEAREST = 3

/** The sentences of an answer that are ours. The words of the sources never look like them. */
export const OURS = {
  unanswered: 'The sources do not answer this.',
  related: 'Not an answer, but related:',
} as const

/** A part of an answer: our sentences about it, and quotes of the sources. */
export type ShownPart = { notes: readonly string[]; quotes: readonly Quote[] }

/** Joins the parts of an answer. Each quote ends with the number of its citation. */
export function composeAnswer(
  parts: readonly ShownPart[],
  found: readonly Passage[],
  confidence: Exclude<Confidence, 'none'>,
  { hasHeading = true } = {},
): Answer {
  const cited: AnswerCitation[] = []
  const texts = parts.flatMap(({ notes, quotes }) => [
    ...notes,
    ...quotes.map((quote) => {
      cited.push(citation(cited.length + 1, quote.passage, citedText(quote)))
      return writeQuote(quote, cited.length, hasHeading || cited.length > 1)
    }),
  ])
  // For a less confident answer the next best page is often the right one, so cite it too.
  const beside = confidence === 'high' ? [] : pagesBeside(found, cited)
  const further = beside.map((passage, index) => citation(cited.length + index + 1, passage, NOTHING))
  const seeAlso = further.map(({ n }) => `[${n}]`).join(' ')
  return {
    answer: [...texts, ...(further.length > 0 ? [`See also: ${seeAlso}.`] : [])].join('\n\n'),
    confidence,
    citations: [...cited, ...further],
  }
}

/** States that the sources do not answer, and cites the nearest pages. */
export function composeUnanswered(passages: readonly Passage[]): Answer {
  const nearest = pagesBeside(passages, [])
  const marks = nearest.map((_, index) => `[${index + 1}]`).join(' ')
  return {
    answer: nearest.length > 0 ? `${OURS.unanswered} The nearest pages: ${marks}.` : OURS.unanswered,
    confidence: 'none',
    citations: nearest.map((passage, index) => citation(index + 1, passage, NOTHING)),
  }
}

/** Best passages of uncited pages, up to `NEAREST` pages together with the cited ones. */
function pagesBeside(passages: readonly Passage[], cited: readonly AnswerCitation[]): Passage[] {
  const pageOf = ({ url }: { url: string }) => withoutSection(url)
  const seen = new Set(cited.map(pageOf))
  const beside: Passage[] = []
  for (const passage of passages) {
    if (seen.size >= NEAREST) break
    if (seen.has(pageOf(passage))) continue
    seen.add(pageOf(passage))
    beside.push(passage)
  }
  return beside
}

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
    const said = statements.filter((statement) => statement.passages.includes(place))
    return [citation(n, passage, quoteFor(said, passage))]
  })
  return {
    answer: groups.map((group) => writeGroup(group, marks)).join('\n\n'),
    confidence: confidenceOf(extractive, dropped),
    citations,
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

/** At most that of the extractive answer: checking the model's sentences one by one proves no more. */
function confidenceOf(extractive: Confidence, dropped: number): Confidence {
  if (extractive === 'none' || extractive === 'low') return 'low'
  return dropped > 0 ? 'medium' : extractive
}

/** Quotes the unit of the passage that shares most words with the statements, verbatim. */
function quoteFor(said: readonly Statement[], { passage, blocks }: Passage): { text: string; start: number } {
  const terms = new Set(said.flatMap(({ text }) => questionTerms(text)))
  let best = { start: 0, end: 0 }
  let most = -1
  for (const unit of unitsOf(passage, blocks)) {
    const hits = new Set(termsOf(passage.slice(unit.start, unit.end)).filter((term) => terms.has(term))).size
    if (hits <= most) continue
    best = unit
    most = hits
  }
  const text = passage.slice(best.start, Math.min(best.end, best.start + 600)).toWellFormed()
  return { text, start: best.start }
}
