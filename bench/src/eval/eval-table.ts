import { elementAt } from '@docent/server/lib/arrays.ts'
import type { Metrics } from './eval-metrics.ts'

/** Metrics of one set: ours, and those of other engines by name. */
export type SetFigures = { ours: Metrics; others: Record<string, Metrics> }

/** nDCG@10 of all sets as a table in Markdown, with the macro-average in the last row. */
export function evalTable(sets: Readonly<Record<string, SetFigures>>): string {
  const names = [...new Set(Object.values(sets).flatMap(({ others }) => Object.keys(others)))]
  const rows = Object.entries(sets).map(([set, { ours, others }]) => ({
    set: `${set} (${ours.n})`,
    scores: [ours.ndcg10, ...names.map((name) => others[name]?.ndcg10 ?? 0)],
  }))
  const macro = [0, ...names.keys()].map((_, column) =>
    rows.reduce((sum, { scores }) => sum + elementAt(scores, column) / Math.max(1, rows.length), 0),
  )
  return [
    line(['Set (questions)', 'Docent', ...names]),
    line(['---', ...macro.map(() => '---:')]),
    ...rows.map(({ set, scores }) => line([set, ...scores.map(format)])),
    line(['**macro-average**', ...[0, ...names.keys()].map((_, column) => `**${format(elementAt(macro, column))}**`)]),
  ].join('\n')
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}

function format(score: number): string {
  return score.toFixed(3)
}
