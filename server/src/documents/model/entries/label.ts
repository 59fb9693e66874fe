import type { Entry, EntryKind, Span } from '../document.ts'
import { nameHash, nameKeys } from '../name-key.ts'
import { plainInline } from '../plain-inline.ts'
import { nameKind } from './name-kind.ts'

/** A longer first cell, term or label is prose. */
const MAX_LABEL = 120
const MOST_WORDS = 5
/** Names in one label. */
const MOST_NAMES = 8

/** Names that share a label: `-p, --port`, `read / write`. */
const BETWEEN = /,\s|\s\/\s|<br ?\/?>|\s\|\s/
/** A name with its value behind it: `limit=N`, `PATH <folder>`, `size INTEGER`. */
const VALUED = /^[\w.$@-]{1,80}(?=[ =]?[<[({]|[=:]|\s[A-Z<[{])/
const IDENTIFIER = /[\w$][_.$-][\w$]|[a-z][A-Z]|^[A-Z_]{2}/

/** Labels of parts that any entry has. Nobody looks them up. */
const GENERIC = new Set(
  'arguments contents default description example examples note notes overview parameters references return returns see synopsis tip type value warning'.split(
    ' ',
  ),
)

/** The entry with a label, or null if the label is no name. */
export function labelEntry(text: string, own: Span, label: Span, kind?: EntryKind): Entry | null {
  if (label.end - label.start > MAX_LABEL) return null
  const names = namesIn(text.slice(label.start, label.end))
  const keys = new Set(names.flatMap((name) => keysOf(name).map(nameHash)))
  if (keys.size === 0) return null
  return { kind: kind ?? nameKind(names[0] ?? ''), ...own, name: label, keys: [...keys] }
}

/** The names in a label, as plain text. */
export function namesIn(label: string): string[] {
  const plain = plainInline(label).replaceAll('\\', '').trim()
  if (!/\p{L}/u.test(plain)) return []
  const code = label.startsWith('`')
  return plain
    .split(BETWEEN, MOST_NAMES)
    .map((name) => name.trim())
    .filter((name) => name !== '' && (code || name.split(/\s/, MOST_WORDS + 1).length <= MOST_WORDS))
}

function keysOf(name: string): string[] {
  const bare = name.replace(/[:：.]$/, '')
  if (GENERIC.has(bare.toLowerCase())) return []
  const keys = nameKeys(bare)
  const valued = VALUED.exec(bare)?.[0]
  if (valued !== undefined && IDENTIFIER.test(valued)) keys.push(valued.toLowerCase())
  return keys
}
