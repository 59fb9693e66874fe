import type { Passage } from '#search/passage.ts'
import type { Answer, AnswerCitation, Confidence } from './answer.ts'
import type { ScoredUnit } from './score-units.ts'

/** Pages named when the sources do not answer. */
const NEAREST = 3

const UNANSWERED = 'The sources do not answer this.'
const DOUBTFUL = 'The sources do not answer this directly. The closest they say:'

/** The chosen units, best passage first and in their order within it, each run followed by the number of its passage. */
export function composeAnswer(units: readonly ScoredUnit[], confidence: Exclude<Confidence, 'none'>): Answer {
  const passages = [...new Set(units.map(({ passage }) => passage))]
  const parts = passages.map((passage, index) => {
    const own = units.filter((unit) => unit.passage === passage)
    return { text: joinUnits(own, index + 1), citation: citation(index + 1, passage, quoteOf(own, passage)) }
  })
  const texts = parts.map(({ text }) => text)
  return {
    answer: (confidence === 'low' ? [DOUBTFUL, ...texts] : texts).join('\n\n'),
    confidence,
    citations: parts.map((part) => part.citation),
  }
}

/** Says that the sources do not answer, and which pages come nearest. */
export function composeUnanswered(passages: readonly Passage[]): Answer {
  const pages = new Map(passages.map((passage) => [passage.url.replace(/#.*$/, ''), passage] as const).toReversed())
  const nearest = [...pages.values()].toReversed().slice(0, NEAREST)
  const marks = nearest.map((_, index) => `[${index + 1}]`).join(' ')
  return {
    answer: nearest.length > 0 ? `${UNANSWERED} The nearest pages: ${marks}.` : UNANSWERED,
    confidence: 'none',
    citations: nearest.map((passage, index) => citation(index + 1, passage, '')),
  }
}

/** Runs of units of one group become one paragraph or list, marked once at the end. */
function joinUnits(units: readonly ScoredUnit[], n: number): string {
  const runs: ScoredUnit[][] = []
  for (const unit of units) {
    const run = runs.at(-1)
    if (run?.at(-1)?.group === unit.group) run.push(unit)
    else runs.push([unit])
  }
  return runs.map((run) => markRun(run, n)).join('\n\n')
}

/** Nothing can be added to the last line of a fence or a table, and no line of ours may look like a citation's first. */
function markRun(run: readonly ScoredUnit[], n: number): string {
  const kind = run[0]?.kind
  const text = run.map(shownText).join(kind === 'sentence' ? ' ' : '\n')
  return kind === 'code' || kind === 'table' ? `${text}\n\n(from [${n}])` : `${text} [${n}]`
}

/** Verbatim, except that a fence loses the indentation of the list it stood in and prose cannot bring marks of its own. */
function shownText({ kind, text }: ScoredUnit): string {
  if (kind !== 'code')
    return text.replaceAll(/`[^`\n]+`|\[\d+\](?![(:])/g, (found) => (found.startsWith('`') ? found : `\\${found}`))
  const indent = /^\s*/.exec(text)?.[0] ?? ''
  return indent === '' ? text : text.replaceAll(new RegExp(`^\\s{1,${indent.length}}`, 'gm'), '')
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
