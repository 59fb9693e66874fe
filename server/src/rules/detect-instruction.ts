import { has, isName, type Item } from '#grammar/item.ts'
import type { Tag } from '#grammar/lexicon.ts'

/**
 * True if a sentence tries to instruct the service: to ignore its instructions, to take another role without limits, or
 * to give away secrets. Such a sentence is refused as a whole, whatever else it asks for. A topic of a condition does
 * not count: `when asked about API keys`.
 */
export function isInstruction(sentence: readonly Item[]): boolean {
  const from = sentence.findIndex((item) => has(item, 'when', 'when_asked'))
  const items = sentence.filter(
    (item, index) => !item.isQuoted && (from < 0 || index < from || hasEnd(sentence.slice(from, index))),
  )
  const any = (tag: Tag) => items.some((item) => has(item, tag))
  if (any('hostile') || (SPEAKERS.has(sentence[0]?.key ?? '') && sentence[1]?.text === ':')) return true
  // `the rules page` and `the API key page` are names.
  const isMeant = (tag: Tag) => items.some((item, index) => has(item, tag) && !isNoun(items[index + 1]))
  return (any('override') && isMeant('directive')) || (any('disclose') && isMeant('secret'))
}

const isNoun = (item: Item | undefined): boolean =>
  item !== undefined && (isName(item) || has(item, 'generic', 'folder', 'section'))

/** Whose words a text pretends to be: `SYSTEM: …`. */
const SPEAKERS: ReadonlySet<string> = new Set(['system', 'assistant', 'developer', 'user', 'admin'])

/** A condition ends at a comma, or with its closing word. */
const hasEnd = (items: readonly Item[]): boolean => items.some((item) => item.isComma || has(item, 'when_end'))
