import { withoutSection } from '#lib/page-address.ts'
import type { Passage } from '#search/passage.ts'
import type { Answer, AnswerCitation, Confidence } from './answer.ts'
import { followUpsOf } from './follow-ups.ts'
import type { ScoredUnit } from './score-units.ts'

/** Pages named at least, unless the answer is sure. */
const NEAREST = 3

const UNANSWERED = 'The sources do not answer this.'
const DOUBTFUL = 'The sources do not answer this directly. The closest they say:'

/** The chosen units, best passage first and in their order within it, each run followed by the number of its passage. */
export function composeAnswer(
  units: readonly ScoredUnit[],
  { units: all, passages: found }: { units: readonly ScoredUnit[]; passages: readonly Passage[] },
  confidence: Exclude<Confidence, 'none'>,
): Answer {
  const passages = [...new Set(units.map(({ passage }) => passage))]
  const parts = passages.map((passage, index) => {
    const own = units.filter((unit) => unit.passage === passage)
    return { text: joinUnits(own, index + 1), citation: citation(index + 1, passage, quoteOf(own, passage)) }
  })
  const texts = parts.map(({ text }) => text)
  const bestOf = (passage: Passage) =>
    all
      .filter((unit) => unit.passage === passage)
      .reduce((best, unit) => (unit.score > best.score ? unit : best), NOTHING).text
  const cited = parts.map((part) => part.citation)
  // Sure answers need no company; of the others the next best page is often the right one.
  const beside = confidence === 'high' ? [] : pagesBeside(found, cited)
  const citations = [
    ...cited,
    ...beside.map((passage, index) => citation(cited.length + index + 1, passage, bestOf(passage))),
  ]
  const seeAlso = beside.map((_, index) => `[${cited.length + index + 1}]`).join(' ')
  return {
    answer: [
      ...(confidence === 'low' ? [DOUBTFUL] : []),
      ...texts,
      ...(beside.length > 0 ? [`See also: ${seeAlso}.`] : []),
    ].join('\n\n'),
    confidence,
    citations,
    followUps: followUpsOf(found, citations),
  }
}

/** Says that the sources do not answer, and which pages come nearest. */
export function composeUnanswered(passages: readonly Passage[]): Answer {
  const nearest = pagesBeside(passages, [])
  const marks = nearest.map((_, index) => `[${index + 1}]`).join(' ')
  return {
    answer: nearest.length > 0 ? `${UNANSWERED} The nearest pages: ${marks}.` : UNANSWERED,
    confidence: 'none',
    citations: nearest.map((passage, index) => citation(index + 1, passage, '')),
    followUps: [],
  }
}

/** The best passages of pages that are not cited, as many as make `NEAREST` pages with those that are. */
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

const NOTHING = { text: '', score: 0 }

/** Neighbouring sentences become one stretch, items of a list one list; each is marked once, at its end. */
function joinUnits(units: readonly ScoredUnit[], n: number): string {
  const runs: ScoredUnit[][] = []
  for (const unit of units) {
    const run = runs.at(-1)
    const before = run?.at(-1)
    if (run && before && goesOn(before, unit)) run.push(unit)
    else runs.push([unit])
  }
  return runs.map((run) => markRun(run, n)).join('\n\n')
}

/** Sentences with something left out between them must not read as if they followed each other. */
function goesOn(before: ScoredUnit, unit: ScoredUnit): boolean {
  return before.group === unit.group && (unit.kind !== 'sentence' || before.index + 1 === unit.index)
}

/** Nothing can be added to the last line of a fence or a table, and no line of ours may look like a citation's first. */
function markRun(run: readonly ScoredUnit[], n: number): string {
  const [first] = run
  const last = run.at(-1)
  if (!first || !last) return ''
  if (first.kind === 'code') return `${dedent(first.text)}\n\n(from [${n}])`
  if (first.kind === 'sentence') return `${escapeMarks(first.passage.passage.slice(first.start, last.end))} [${n}]`
  const lines = run.map(({ text }) => escapeMarks(text)).join('\n')
  return first.kind === 'table' ? `${lines}\n\n(from [${n}])` : `${lines} [${n}]`
}

/** A `[2]` that stands in a page must not pass for a citation. In code it cannot: our marks are never inside any. */
function escapeMarks(text: string): string {
  return text.replaceAll(/`[^`\n]+`|\[\d+\](?![(:])/g, (found) => (found.startsWith('`') ? found : `\\${found}`))
}

/** Takes off the indentation of the list that a code block stood in. */
function dedent(code: string): string {
  const indent = /^\s*/.exec(code)?.[0].length ?? 0
  return indent === 0 ? code : code.replaceAll(new RegExp(`^\\s{1,${indent}}`, 'gm'), '')
}

/** From the first to the last unit when they stand close together, else the best one alone. */
function quoteOf(units: readonly ScoredUnit[], { passage }: Passage): string {
  const first = units[0]
  const last = units.at(-1)
  if (!first || !last) return ''
  const together = passage.slice(first.start, last.end)
  return together.length <= 600 ? together : units.reduce((best, unit) => (unit.score > best.score ? unit : best)).text
}

function citation(n: number, { title, heading, url, sourceId, score }: Passage, quote: string): AnswerCitation {
  return { n, title, heading, url, sourceId, quote, score }
}
