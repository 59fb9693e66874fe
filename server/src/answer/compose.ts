import type { Passage } from '#search/passage.ts'
import type { Answer, AnswerCitation, Confidence } from './answer.ts'
import { followUpsOf } from './follow-ups.ts'
import type { ScoredUnit } from './score-units.ts'

/** Pages named when the sources do not answer. */
const NEAREST = 3

const UNANSWERED = 'The sources do not answer this.'
const DOUBTFUL = 'The sources do not answer this directly. The closest they say:'

/** The chosen units, best passage first and in their order within it, each run followed by the number of its passage. */
export function composeAnswer(
  units: readonly ScoredUnit[],
  found: readonly Passage[],
  confidence: Exclude<Confidence, 'none'>,
): Answer {
  const passages = [...new Set(units.map(({ passage }) => passage))]
  const parts = passages.map((passage, index) => {
    const own = units.filter((unit) => unit.passage === passage)
    return { text: joinUnits(own, index + 1), citation: citation(index + 1, passage, quoteOf(own, passage)) }
  })
  const texts = parts.map(({ text }) => text)
  const citations = parts.map((part) => part.citation)
  return {
    answer: (confidence === 'low' ? [DOUBTFUL, ...texts] : texts).join('\n\n'),
    confidence,
    citations,
    followUps: followUpsOf(found, citations),
  }
}

/** Says that the sources do not answer, and which pages come nearest. */
export function composeUnanswered(passages: readonly Passage[]): Answer {
  const pageOf = ({ url }: Passage) => url.replace(/#.*$/, '')
  const nearest = passages
    .filter((passage, index) => passages.findIndex((other) => pageOf(other) === pageOf(passage)) === index)
    .slice(0, NEAREST)
  const marks = nearest.map((_, index) => `[${index + 1}]`).join(' ')
  return {
    answer: nearest.length > 0 ? `${UNANSWERED} The nearest pages: ${marks}.` : UNANSWERED,
    confidence: 'none',
    citations: nearest.map((passage, index) => citation(index + 1, passage, '')),
    followUps: [],
  }
}

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
