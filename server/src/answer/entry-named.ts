import { tableOf } from '#documents/model/read-block.ts'
import { coveredTerms, shareOf, type AskedTerms, questionTerms } from './asked-terms.ts'
import type { Unit } from './units.ts'

/** The label at the beginning of an entry: `**Proxy**: …`, `- **Proxy** – …`, `Proxy` above a line with `: `. */
const LABEL =
  /^[ \t]{0,12}(?:[-*+][ \t]+|\d{1,3}[.)][ \t]+)?(?:\*\*([^*\n]{1,80})\*\*|__([^_\n]{1,80})__|`([^`\n]{1,80})`)(?:[ \t]\([^()\n]{1,80}\))?(?:[ \t]{0,2}\n?[:：](?=\s)|[ \t]{0,2}[–—-]{1,2}[ \t])/
/** The colon can be inside: `**Proxy:** …`. */
const INSIDE =
  /^[ \t]{0,12}(?:[-*+][ \t]+|\d{1,3}[.)][ \t]+)?(?:\*\*([^*\n]{1,80})[:：]\*\*|__([^_\n]{1,80})[:：]__)[ \t]/

/** Fewer entries are no list of definitions. A part of a section answers as well as the section then. */
const LEAST = 2

/** Shares are sums of fractions. */
const ALL = 0.999

type Text = Unit & { text: string }

/**
 * The units of the entry that defines the thing asked for, if a section is a list of definitions: the label has all
 * terms of the question that the headings above do not have. The label of a row is its first cell. Null if there is none.
 */
export function entryNamed<T extends Text>(units: readonly T[], above: ReadonlySet<string>, asked: AskedTerms) {
  const labels = units.map(({ kind, text }) => (kind === 'table' ? cellOf(text) : labelOf(text)))
  if (labels.filter((label) => label !== null).length < LEAST) return null
  const from = labels.findIndex((label) => label !== null && isAbout(label, above, asked))
  if (from < 0) return null
  const next = labels.findIndex((label, at) => at > from && label !== null)
  const entry = units.slice(from, next < 0 ? undefined : next)
  return entry.filter(({ group, kind }, at) => at === 0 || kind !== 'sentence' || group === entry[0]?.group)
}

function isAbout(label: string, above: ReadonlySet<string>, asked: AskedTerms): boolean {
  // `Hypertext Transfer Protocol (HTTP)`, `arena, memory pool`.
  return [label, ...label.split(/[(),/]/)].some((name) => {
    const terms = questionTerms(name, asked.language)
    const isAsked = terms.length > 0 && terms.every((term) => asked.weights.has(term))
    return isAsked && shareOf(coveredTerms(name, asked).union(above), asked) > ALL
  })
}

/** True if a row of a table is an entry for the whole question. */
export function hasRowNamed(table: string, asked: AskedTerms): boolean {
  return table.split('\n').some((row) => shareOf(coveredTerms(cellOf(row) ?? '', asked), asked) > ALL)
}

/** The first cell of a row that is not empty, or null: `ERR_TIMEOUT` of `| | `ERR_TIMEOUT` | It took too long. |`. */
function cellOf(text: string): string | null {
  const { header, rows } = tableOf(text, { start: 0, end: text.length })
  const cell = (header ?? rows[0])?.cells.find(({ start, end }) => start < end)
  if (cell === undefined || cell.end - cell.start > LONGEST_CELL) return null
  return text.slice(cell.start, cell.end).replaceAll(/[`*]/g, '').trim()
}

/** A longer first cell is prose. */
const LONGEST_CELL = 120

/** The label of an entry, or null for another text. */
export function labelOf(text: string): string | null {
  const found = LABEL.exec(text) ?? INSIDE.exec(text)
  return found ? (found[1] ?? found[2] ?? found[3] ?? null) : null
}
