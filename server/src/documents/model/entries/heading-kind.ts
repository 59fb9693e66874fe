import type { EntryKind, Section } from '../document.ts'
import { nameKind } from './bare-entries.ts'

/** Kinds of things that the headings above them or the title of the page say. */
const GROUPS: readonly (readonly [RegExp, EntryKind])[] = [
  [/\b(?:errors?|exceptions|(?:error|exit|result|return|status)[- ]codes?|code meanings|messages)\b/i, 'message'],
  [/\b(?:config(?:uration)?s?|directives?|keywords?|parameters|pragmas?|settings?|variables)\b/i, 'setting'],
  [/\b(?:options|flags|switches)\b/i, 'option'],
  [
    /\b(?:accessors|attributes|callbacks|constants|events|fields|functions|hooks|members?|methods?|propert(?:y|ies))\b/i,
    'member',
  ],
  [/\b(?:sub)?commands\b/i, 'command'],
]
/** Kinds that the spelling of a name alone suggests, and a group corrects. */
const SUGGESTED: ReadonlySet<EntryKind> = new Set(['command', 'definition', 'member', 'setting'])
/** Declarations, which keep their kind in any group. */
const DECLARATION = /^(?:class|def|enum|fn|func|function|interface|struct|trait) |\w\((?!\d+\))/
/** One token, alone or with a value behind it. */
const TOKEN = /^[\w$.-]+(?=$|[ =:]?[<[({])/
/** Names as nobody writes a word of prose: `max_heat`, `maxHeat`, `MAX`, `max-heat`, `heat.max`. */
const SPELT = /[\w$][_.-][\w$]|[a-z][A-Z]|^[A-Z]{2}/
/** One word, such as `Port`. It is a name only directly below the heading of a group. */
const WORD = /^\w+$/
/** Words with a value behind them: `timeout http-request <timeout>`, `balance [ <arguments> ]`. */
const VALUED = /^[a-z][\w.-]*(?: [a-z][\w.-]*){0,3} [<[{]/
/** Single words that head a part of any text. */
const PART =
  /^(?:about|background|basics|changelog|concepts?|configuration|details|documentation|features?|installation|introduction|limitations|motivation|overview|performance|purpose|requirements|security|summary|syntax|testing|troubleshooting|usage)$/i

/** The kind of the thing that a heading names, by its spelling and what the headings above it announce. */
export function headingKind(
  { heading, path }: Pick<Section, 'heading' | 'path'>,
  { title, raw, declares }: { title: string; raw: string; declares: boolean },
): EntryKind {
  const own = nameKind(heading)
  if (!SUGGESTED.has(own) || (own === 'member' && DECLARATION.test(heading))) return own
  const isCode = /^`[^`]+`/.test(raw)
  const isSpelt =
    isCode ||
    declares ||
    SPELT.test(TOKEN.exec(heading)?.[0] ?? '') ||
    VALUED.test(heading) ||
    /^PRAGMA /i.test(heading)
  const near = groupOf(path.at(-1) ?? title)
  const isWord = near !== undefined && WORD.test(heading) && !PART.test(heading)
  const group = isWord ? near : isSpelt ? (near ?? groupOf(...path.toReversed(), title)) : undefined
  if (group !== undefined) return group
  if (declares) return own === 'definition' ? 'member' : own
  return own === 'definition' && (VALUED.test(heading) || /^[a-z]\w*(?:-\w+)+(?=$|[ =]?[<[{])/.test(heading))
    ? 'setting'
    : own
}

function groupOf(...headings: readonly string[]): EntryKind | undefined {
  for (const heading of headings) {
    const kind = GROUPS.find(([pattern]) => pattern.test(heading))?.[1]
    if (kind !== undefined) return kind
  }
  return undefined
}
