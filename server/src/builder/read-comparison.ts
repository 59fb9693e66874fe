import { has, type Item, numberOf, splitAt } from '#grammar/item.ts'
import { codeOf, isColon, isContent, isPlain, thingOf } from './read-words.ts'

const isNoun = (item: Item | undefined): boolean => item !== undefined && isContent(item)

const JOINT = /^(?:and|with|to|und|mit|et|avec|y|con|e|com|和|与|と)$/
/** Things that one comparison takes. */
const MOST_SIDES = 4

/** The things of `compare npm install with npm ci`, `Redis versus Memcached` and `A, B and C`. Empty if callers name them. */
export function sidesOf(prompt: string, sentence: readonly Item[]): string[] {
  const at = sentence.findIndex((item) => has(item, 'task compare'))
  // `Put the two branches side by side: hours and parking`
  if (sentence.slice(0, Math.max(0, at)).some((item) => numberOf(item) !== null)) return []
  const isBetween = /^(?:vs|versus)$/.test(sentence[at]?.key ?? '')
  const rest = sentence.slice(at + 1)
  const joint = isBetween ? 0 : rest.findIndex(({ key }) => JOINT.test(key))
  const right = rest.slice(isBetween ? 0 : joint + 1)
  const stop = right.findIndex((item) => item.isComma || has(item, 'of', 'about', 'form', 'task compare'))
  const left = splitAt(isBetween ? sentence.slice(0, at) : rest.slice(0, joint), ({ isComma }) => isComma)
  // `borg check and borg compact`: names that begin alike are equally long.
  const first = left[0]?.slice(left[0].findIndex(isPlain)) ?? []
  const isAlike = first.length > 1 && right[0]?.key === first[0]?.key
  const sides = [...left, right.slice(0, isAlike ? first.length : stop < 0 ? undefined : stop)]
  // `a lease and a lock` are named, `a setting and an option` are not.
  const isFree = (side: readonly Item[]) =>
    side.some((item) => has(item, 'something', 'given') || numberOf(item) !== null) ||
    (side.some((item) => has(item, 'a')) && !(isNoun(side.at(-1)) && side.every((item) => thingOf(item) === null)))
  if (joint < 0 || sides.some(isFree)) return []
  const hasName = sides.some((side) => side.some(isPlain))
  const names = sides.map((side) => {
    const from = side.findIndex((item) => isContent(item) || codeOf(item) !== undefined)
    const to = side.findLastIndex((item) => thingOf(item) === null || isPlain(item))
    // `Compare pins and rules`
    if (from < 0 && hasName && side.at(-1)?.language === 'en') return prompt.slice(side.at(-1)?.start, side.at(-1)?.end)
    return from < 0 ? '' : prompt.slice(side[from]?.start, side[to]?.end)
  })
  return names.every(Boolean) && names.length <= MOST_SIDES ? names : []
}

/** `by speed`, `by size and cost` */
const isShort = (text: string): boolean => /^[a-z-]+(?: (?:and|or)? ?[a-z-]+){0,3}[.?]?$/i.test(text.trim())
const BY = /\b(?:in terms of|with regard to|regarding|by|on|for)\s+(?!its|their|name)/gi
const ASKING = /^\s*(?:what (?:they|each|it)|how (?:many|much)|the|their|its|which|was sie|wie viele)\s+/i

/** The list after a colon, or after `by` and `in terms of`: `throughput, what they need, how many brokers`. */
export function aspectsOf(prompt: string, sentence: readonly Item[]): string[] {
  const [first, last] = [sentence[0]?.start ?? 0, sentence.at(-1)?.end ?? 0]
  const colon = sentence.find((item) => isColon(prompt, item))
  const mark = [...prompt.slice(first, last).matchAll(BY)].findLast(({ index, 0: text }) => {
    const rest = prompt.slice(first + index + text.length, last)
    return rest.includes(',') || /terms|regard/.test(text) || (/^by/i.test(text) && isShort(rest))
  })
  const from = colon?.end ?? (mark && first + mark.index + mark[0].length)
  if (from === undefined) return []
  const listed = prompt.slice(from, last).split(/,|、|，|;|\band\b|\bund\b|\bet\b|\by\b|\be\b|和/)
  const plain = listed.map((each) => each.replace(ASKING, '').trim())
  return [...new Set(plain.filter((each) => each !== '' && each.length <= 60))].slice(0, 8)
}
