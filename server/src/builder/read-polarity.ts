import { has, isName, type Item } from '#grammar/item.ts'
import { isDense } from '#grammar/tokenise.ts'

/**
 * What a request says about places that it names: `only` these, `not` these, or `all`, as in `not only from`. `mention`:
 * nothing.
 */
export type Polarity = 'only' | 'not' | 'all' | 'mention'

const STAY = /^(?:stay|stays|keep|keeps|leave|leaves)$/
const SAVE = /^(?:save|bar)$/
const ALL = /(?:sources?|pages?|everything|anything|all)$/
const SOLE = /^(?:alone|sole|single|einzige[nrs]?|unique|unic[oa]|seule?|solo)$/
const NO_OTHER = /^(?:no|not|nothing|nowhere|none|nichts|nirgends|keine|rien|nada|niente|nessun|nenhum)\b/
const OUTSIDE = /^(?:than|outside|beyond|ausserhalb|hors|fuera|fora|fuori)$/
const INSTEAD = /instead|rather|place of/
const AS = /^(?:as|als|comme|como|come)$/
const HOLLOW =
  /^(?:yourself|itself|themselves|dich|sich|any|anything|anywhere|everything|whatever|else|all|up|its|their|gives?|根据|依据|基于)$/

/**
 * The part of a phrase in saying which places are allowed, as a letter: `o` only, `s` sole, `n` not, `x` exclude, `e`
 * except, `l` leave, `w` nothing else, `m` is or must, `u` a verb of use, `i` in or from, `A` as, `g` source or page,
 * `a` a word between them.
 */
function letterOf(item: Item, before?: Item): string {
  const { key } = item
  // `answered out of X`, unlike `stay out of X`; `all sources save X`, unlike `save X`
  if (key === 'out of') return STAY.test(before?.key ?? '') ? 'x' : 'i'
  if (SAVE.test(key) && ALL.test(before?.key ?? '')) return 'e'
  if (item.isComma) return ','
  if (OUTSIDE.test(key)) return 'e'
  if (NO_OTHER.test(key) && has(item, 'other')) return 'w'
  if (has(item, 'only') || (has(item, 'at_most') && key.startsWith('limit'))) return 'o'
  if (isName(item) || item.version !== null) return 'N'
  if (SOLE.test(key)) return 's'
  if (has(item, 'except')) return 'e'
  if (has(item, 'not') || key === 'nowhere') return 'n'
  if (/^leav(?:e|es|ing)$/.test(key)) return 'l'
  if (has(item, 'exclude') || (has(item, 'flip') && INSTEAD.test(key))) return 'x'
  if (has(item, 'is', 'must')) return 'm'
  if (has(item, 'and')) return '&'
  if (AS.test(key)) return 'A'
  if (has(item, 'in') && !has(item, 'up', 'down')) return 'i'
  if (has(item, 'generic', 'results', 'questions', 'other')) return 'g'
  if (has(item, 'use', 'answer', 'cited', 'ask') || /^cit(?:e|es|ing)$/.test(key)) return 'u'
  return has(item, 'article', 'filler', 'noise', 'to', 'as', 'describes', 'for') || HOLLOW.test(key) ? 'a' : '.'
}

/** True for a word between a mark such as `not` and a name. */
export const isBetween = (item: Item): boolean => 'aegium'.includes(letterOf(item)) || has(item, 'folder')

/** True if what follows says that the names before it are the only ones. */
export const isOnlyAfter = (sentence: readonly Item[], at: number): boolean =>
  ONLY_AFTER.test(lettersOf(sentence, at, at + MOST_AFTER))

/** The letters of a range of a sentence. */
const lettersOf = (sentence: readonly Item[], from: number, to: number) =>
  sentence
    .slice(from, to)
    .map((item, at) => letterOf(item, sentence[from + at - 1]))
    .join('')

/** Phrases that belong to a name, before and after it. */
const MOST_BEFORE = 8
const MOST_AFTER = 6

/** `X only`, `X and nothing else`, `X and from no other page`, `X as the only source`, `X is the sole source`. */
const ONLY_AFTER = /^(?:a?[os]|,?&?[ai]{0,2}(?:wg?|n[ag]{1,2}(?!a{0,2}N))|[Aa]{1,3}[os]g?|ma{0,2}[os]g?)/
/** `X is off limits`, `X must not be used`, `X should be left out`. */
const NOT_AFTER = /^(?:m{1,2}\.?x|m{0,2}na?m?u|ax)/

/**
 * Reads what the phrases around names say, up to the next name or comma. `from` and `to`: the first name and the item after the
 * last. Returns the range of the phrases that say it too, and if one is `except`.
 */
export function readPolarity(
  sentence: readonly Item[],
  { from, to }: { from: number; to: number },
): { polarity: Polarity; from: number; to: number; isExcept: boolean } {
  let start = from
  while (start > 0 && from - start < MOST_BEFORE && /[osenxlmuigaAw]/.test(lettersOf(sentence, start - 1, start)))
    start--
  const before = lettersOf(sentence, start, from)
  const after = lettersOf(sentence, to, to + MOST_AFTER)
  const dense = isDense(sentence[to]?.key.charAt(0) ?? '')
  const [only = ''] = ONLY_AFTER.exec(after) ?? []
  const [not = ''] = NOT_AFTER.exec(after) ?? (dense ? (/^a?[ex]/.exec(after) ?? []) : [])
  const said = saidBy(before, { isOnly: only !== '', isNot: not !== '' })
  const first = before.search(/[osenxlw]/)
  const isAfter = only !== '' || not !== ''
  const end = to + Math.max(only.length, not.length)
  if (said === 'mention') return { polarity: said, from, to, isExcept: false }
  return {
    polarity: said,
    from: first < 0 ? from : start + first,
    to: isAfter ? end : to,
    isExcept: before.includes('e'),
  }
}

function saidBy(before: string, after: { isOnly: boolean; isNot: boolean }): Polarity {
  const isNegated = /[nwx]/.test(before)
  const not = before.indexOf('n')
  const isBehindNot = (letter: string) => not >= 0 && before.includes(letter, not)
  // `leave out what is not in X`
  if (before.search(/[xl]/) >= 0 && before.search(/[xl]/) < not) return 'only'
  // `nothing outside X`, `ignore all but X`, `everything except X is off limits`, `do not leave X`
  if (before.includes('e') || isBehindNot('l')) return isNegated || after.isNot ? 'only' : 'not'
  // `not only X`, `do not ignore X`
  if (isBehindNot('o') || isBehindNot('x')) return 'all'
  if (/[nwxl]/.test(before) || after.isNot) return 'not'
  return /o|sa?g/.test(before) || after.isOnly ? 'only' : 'mention'
}
