import { addressInPassage } from '#search/passage-of-chunk.ts'
import type { Passage } from '#search/passage.ts'
import type { AnswerCitation } from './answer.ts'
import type { Excerpt } from './choose-excerpts.ts'
import type { ScoredUnit } from './sections.ts'

export type ShownExcerpt = Excerpt & { hasHeading: boolean }

/** A part of a passage, and its offset there. */
export type Quote = { text: string; start: number }

export const NOTHING: Quote = { text: '', start: 0 }

/** Joins adjacent sentences and items of one list into runs, below the headings of the page. Each run gets one mark. */
export function writeExcerpt({ section: { passage }, units, hasHeading }: ShownExcerpt, n: number): string {
  const runs: ScoredUnit[][] = []
  for (const unit of units) {
    const run = runs.at(-1)
    const before = run?.at(-1)
    if (run && before && goesOn(before, unit)) run.push(unit)
    else runs.push([unit])
  }
  const headings = passage.blocks.filter(({ kind }) => kind === 'heading')
  let from = hasHeading ? 0 : (units[0]?.start ?? 0)
  return runs
    .flatMap((run) => {
      const to = run[0]?.start ?? from
      const heading = headings.findLast(({ start }) => start >= from && start < to)
      from = run.at(-1)?.end ?? from
      const shown = heading && escapeMarks(passage.passage.slice(heading.start, heading.end).trim())
      return [...(shown ? [shown] : []), markRun(run, n)]
    })
    .join('\n\n')
}

/** Sentences with a gap between them must not read as consecutive. */
function goesOn(before: ScoredUnit, unit: ScoredUnit): boolean {
  return before.group === unit.group && (unit.kind !== 'sentence' || before.index + 1 === unit.index)
}

/**
 * A mark after the last line of a fence or a table would break it, so it goes on a separate line. The line starts with
 * a word, because a line that starts with a mark looks like a citation.
 */
function markRun(run: readonly ScoredUnit[], n: number): string {
  const [first] = run
  const last = run.at(-1)
  if (!first || !last) return ''
  if (first.kind === 'code') return `${dedent(first.text)}\n\n(from [${n}])`
  if (first.kind === 'sentence') return `${escapeMarks(first.passage.passage.slice(first.start, last.end))} [${n}]`
  const lines = run.map(({ text }) => escapeMarks(text)).join('\n')
  return first.kind === 'table' ? `${lines}\n\n(from [${n}])` : `${lines} [${n}]`
}

/** Escapes a literal `[2]` of a page, so that it cannot pass for a citation. Our marks are never inside code. */
export function escapeMarks(text: string): string {
  return text.replaceAll(/`[^`\n]+`|\[\d+\](?![(:])/g, (found) => (found.startsWith('`') ? found : `\\${found}`))
}

/** Removes the indentation of the list that contained a code block. */
function dedent(code: string): string {
  const indent = /^\s*/.exec(code)?.[0].length ?? 0
  return indent === 0 ? code : code.replaceAll(new RegExp(`^\\s{1,${indent}}`, 'gm'), '')
}

/** Quotes from the first to the last unit if they are close together and have one address, else the best unit alone. */
export function quoteOf(units: readonly ScoredUnit[], passage: Passage): Quote {
  const first = units[0]
  const last = units.at(-1)
  if (!first || !last) return NOTHING
  const together = passage.passage.slice(first.start, last.end)
  const isTogether = addressInPassage(passage, first.start) === addressInPassage(passage, last.start)
  if (isTogether && together.length <= 600) return { text: together, start: first.start }
  return units.reduce((best, unit) => (unit.score > best.score ? unit : best))
}

/** Cites the place of the quote, which can be on a later page of a PDF than the start of the passage. */
export function citation(n: number, passage: Passage, quote: Quote): AnswerCitation {
  const { title, heading, sourceId, score } = passage
  return { n, title, heading, url: addressInPassage(passage, quote.start), sourceId, quote: quote.text, score }
}
