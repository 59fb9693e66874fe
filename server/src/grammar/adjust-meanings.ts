import { has, type Item, isName, NO_MEANING } from './item.ts'
import type { Gap, Lexicon, Meaning, Tag } from './lexicon.ts'

const PARTICLE: Meaning = { tags: ['filler'] }

/** Gives a verb the meaning that it has with its particle later in the clause: `werte den Blog ab`. */
export function joinGaps(items: readonly Item[], { gaps }: Lexicon): readonly Item[] {
  if (gaps.size === 0) return items
  const joined = [...items]
  for (const [index, item] of items.entries()) {
    const own = gaps.get(item.key) ?? []
    const stop = items.findIndex((later, place) => place > index && later.isComma)
    const end = items.findIndex(
      (later, place) => place > index && own.some((gap) => isParticle(gap, later, items[place + 1])),
    )
    // A comma ends the clause of `ne … que`; that of a verb with a particle can have a list.
    if (own[0]?.isAnywhere && stop >= 0 && stop < end) continue
    const [particle, verb] = [items[end], own.filter((gap) => gap.particle === items[end]?.key)]
    if (particle === undefined) continue
    const meaning = { tags: [...new Set(verb.flatMap((gap) => gap.meaning.tags))] }
    // `ne … que` restricts what follows `que`.
    const isLate = verb.some(({ isAnywhere }) => isAnywhere)
    joined[index] = { ...item, meaning: isLate ? PARTICLE : meaning }
    joined[end] = { ...particle, meaning: isLate ? meaning : PARTICLE }
    // `werte A ab und B auf` needs the verb twice, which no clause has.
    const again = items.findIndex(
      (later, place) => place > end && own.some((gap) => isParticle(gap, later, items[place + 1])),
    )
    if (again >= 0) joined[again] = { ...(items[again] ?? item), meaning: NO_MEANING }
  }
  return joined
}

/** True for a particle at the end of its clause, or for one that can be anywhere. */
function isParticle({ particle, isAnywhere }: Gap, { key }: Item, next: Item | undefined): boolean {
  if (particle !== key) return false
  return (
    isAnywhere ||
    next === undefined ||
    next.isComma ||
    has(next, 'and', 'but', 'when', 'when_asked', 'reason', 'polite')
  )
}

/** Roles of words that are a name between an article and a noun for pages: the tokens page. */
const NAMING: ReadonlySet<Tag> = new Set(['length', 'manner', 'person', 'audience', 'noise', 'neutral'])
/** Roles of verbs that can also be the name of a page: the display page, the search section. */
const ACTS: readonly Tag[] = ['use', 'up', 'down', 'exclude', 'command', 'also', 'treat']
const VERBAL: ReadonlySet<Tag> = new Set([...ACTS, 'ask', 'disclose', 'override', 'means', 'refuse'])

/** Roles of words that are an acronym in capitals: REST, IT. */
const PRONOMINAL: ReadonlySet<Tag> = new Set(['other', 'it', 'person', 'filler', 'noise', 'in', 'declares'])

/** A word between an article and a noun for pages is a name, as is a verb in the middle of a sentence with a capital. */
export function asNouns(items: readonly Item[]): Item[] {
  return items.map((item, index) => {
    const { meaning, text, key } = item
    if (meaning.tags.length === 0 || isName(item)) return item
    const isAcronym = /^\p{Lu}{2,}$/u.test(text) && meaning.tags.every((tag) => PRONOMINAL.has(tag))
    if (isAcronym) return { ...item, meaning: withoutTags(meaning) }
    if (!meaning.tags.every((tag) => VERBAL.has(tag) || NAMING.has(tag))) return item
    const isBetween = has(items[index - 1], 'article') && has(items[index + 1], 'generic', 'folder', 'section')
    const isCapital =
      index > 0 &&
      meaning.isBegun === true &&
      !items[index - 1]?.isComma &&
      /^\p{Lu}\p{Ll}/u.test(text) &&
      !key.includes(' ')
    return isBetween || (isCapital && !isAfterQuote(items, index)) ? { ...item, meaning: withoutTags(meaning) } : item
  })
}

/** A name keeps what it names: `Go examples`. */
const withoutTags = (meaning: Meaning): Meaning =>
  Object.keys(meaning).length > 1 ? { ...meaning, tags: [] } : NO_MEANING

const isAfterQuote = (items: readonly Item[], index: number): boolean => items[index - 1]?.isQuoted === true
