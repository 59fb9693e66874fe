import { withoutSection } from '#lib/addresses/page-address.ts'
import type { Passage } from '#search/passage.ts'
import type { Answer, AnswerCitation, Confidence } from './answer.ts'
import { followUpsOf } from './follow-ups.ts'
import type { Section } from './sections.ts'
import { citation, NOTHING, type Quote, quoteOf, type ShownExcerpt, writeExcerpt } from './write-excerpt.ts'

/** Minimum number of pages to cite, unless the confidence is high. */
const NEAREST = 3

/** The sentences of an answer that are ours. The words of the sources never look like them. */
export const OURS = {
  unanswered: 'The sources do not answer this.',
  doubtful: 'The sources do not answer this directly. The closest they say:',
  yes: 'Yes. The sources say:',
  no: 'No. The sources say:',
  undecided: 'The sources give no plain yes or no. They say:',
} as const

/** A part of an answer: our sentences about it, and quotations of the sources. */
export type ShownPart = { notes: readonly string[]; excerpts: readonly ShownExcerpt[] }

/** Joins the parts of an answer. Each run of an excerpt ends with the number of its citation. */
export function composeAnswer(
  parts: readonly ShownPart[],
  sections: readonly Section[],
  confidence: Exclude<Confidence, 'none'>,
): Answer {
  const cited: AnswerCitation[] = []
  const texts = parts.flatMap(({ notes, excerpts }) => [
    ...notes,
    ...excerpts.map((excerpt) => {
      const { passage } = excerpt.section
      cited.push(citation(cited.length + 1, passage, quoteOf(excerpt.units, passage)))
      return writeExcerpt(excerpt, cited.length)
    }),
  ])
  // For a less confident answer the next best page is often the right one, so cite it too.
  const found = sections.map(({ passage }) => passage)
  const beside = confidence === 'high' ? [] : pagesBeside(found, cited)
  const citations = [
    ...cited,
    ...beside.map((passage, index) => citation(cited.length + index + 1, passage, bestOf(sections, passage))),
  ]
  const seeAlso = beside.map((_, index) => `[${cited.length + index + 1}]`).join(' ')
  return {
    answer: [...texts, ...(beside.length > 0 ? [`See also: ${seeAlso}.`] : [])].join('\n\n'),
    confidence,
    citations,
    followUps: followUpsOf(found, citations),
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
    followUps: [],
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

function bestOf(sections: readonly Section[], passage: Passage): Quote {
  const units = sections.find((section) => section.passage === passage)?.units
  return units?.reduce((best, unit) => (unit.score > best.score ? unit : best)) ?? NOTHING
}
