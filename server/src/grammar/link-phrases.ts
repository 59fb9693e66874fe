import { isJoint } from './clause-words.ts'
import type { Phrase } from './compare-phrases.ts'
import { has, isUnread, type Item } from './item.ts'
import type { Found, Named, Resolved } from './found.ts'

/** Joins phrases such as `the blog of the Kestrel docs`, `pages under /guide` and `Kestrelのブログ`. */
export function linkPhrases(items: readonly Item[], phrases: readonly Phrase[], named: Named): Phrase[] {
  const linked: Phrase[] = []
  for (const phrase of phrases) {
    const last = linked.at(-1)
    // `… more than the pages under /archive`: pages and their path are one name.
    const isGeneric = last?.resolved === 'generic' || phrase.resolved === 'generic'
    const isApart = last === undefined || (last.flipped !== phrase.flipped && !isGeneric)
    const link = isApart ? null : linkOf(items.slice(last.to, phrase.from))
    const joined = last === undefined || link === null ? 'apart' : join(items, inOrder(link, last, phrase), named)
    if (last === undefined || joined === 'apart') {
      linked.push(phrase)
      continue
    }
    linked[linked.length - 1] = {
      ...last,
      to: phrase.to,
      resolved: joined,
      flipped: last.flipped || phrase.flipped,
      step: Math.max(last.step, phrase.step),
    }
    if (link === 'in') linkListed(items, linked, { outer: phrase, named })
  }
  return linked
}

/** `the webhooks and workers pages of the guides`: the names listed before are in the guides too, if they are there. */
function linkListed(items: readonly Item[], linked: Phrase[], { outer, named }: { outer: Phrase; named: Named }): void {
  for (let place = linked.length - 2; place >= 0; place--) {
    const [inner, next] = [linked[place], linked[place + 1]]
    if (inner === undefined || next === undefined || inner.flipped !== next.flipped) return
    const between = items.slice(inner.to, next.from)
    if (!between.every((item) => isJoint(item) || has(item, 'or', 'filler', 'joins'))) return
    const joined = join(items, [inner, outer], named)
    if (joined !== 'apart' && joined !== null) linked[place] = { ...inner, resolved: joined }
  }
}

type Link = 'in' | 'possessive'

/** `in`: the second phrase contains the first. `possessive`: the first contains the second. */
function linkOf(between: readonly Item[]): Link | null {
  if (between.length === 0 || !between.every((item) => has(item, 'in', 'possessive', 'filler', 'flip', 'for', 'is')))
    return null
  if (between.some((item) => has(item, 'flip') && !has(item, 'in'))) return null
  // `The posts about X` are inside of those before.
  if (between.some((item) => has(item, 'possessive') || ABOUT.test(item.key))) return 'possessive'
  return between.some((item) => has(item, 'in', 'for')) ? 'in' : null
}

const ABOUT = /^(?:about|uber|sobre)$/

/** The inner phrase, then the one that contains it. */
const inOrder = (link: Link, first: Phrase, second: Phrase): [Phrase, Phrase] =>
  link === 'in' ? [first, second] : [second, first]

/**
 * The meaning of a phrase within another one. `apart`: they are two names. Null if the outer one does not have the inner
 * one: the section “Limits” of a page without it is neither the page nor another section called so.
 */
function join(items: readonly Item[], [inner, outer]: [Phrase, Phrase], named: Named): Resolved | 'apart' {
  const [inside, around] = [inner.resolved, outer.resolved]
  if (around === 'described' || inside === 'described') return 'apart'
  if (around === 'generic' || around === 'other' || around === 'it')
    return around === 'generic' && inside !== null ? inside : 'apart'
  if (inside === 'generic' && around !== null) return around
  if (around === null || typeof inside === 'string') return 'apart'
  const globs = around.found.flatMap((found) => (found.of === 'path' ? found.glob : []))
  const source = sourceOf(around.found)
  if (globs.length > 0 && inside?.found.every(({ of }) => of === 'source' || of === 'kind'))
    return withinSource(globs, sourceOf(inside.found), named)
  // `pages of the blog under /blog/2023`
  const isWider = inside?.found.every(
    (found) => found.of === 'path' && globs.every((glob) => isBelow(glob, found.glob)),
  )
  if (globs.length > 0 && isWider) return around
  const isPlace = globs.length > 0 || source !== null
  if (isPlace && (inside === null || inside.found.every(({ of }) => of === 'path'))) {
    const found = placesWithin(items.slice(inner.from, inner.to), named, {
      within: globs,
      sourceId: around.scope ?? source ?? inside?.scope ?? null,
      known: inside?.found ?? [],
    })
    return found.length === 0 ? null : { found, scope: around.scope ?? source ?? inside?.scope ?? null }
  }
  if (inside === null) return 'apart'
  if (
    inside.found.every(({ of }) => of === 'kind') &&
    around.found.every(({ of }) => of === 'source' || of === 'version' || of === 'recent')
  )
    return around
  if (
    around.found.every(({ of }) => of === 'kind' || of === 'source') &&
    inside.found.every(({ of }) => of !== 'source' && of !== 'kind')
  )
    return { found: inside.found, scope: inside.scope ?? (isVersionOfDocs(inside.found, around.found) ? null : source) }
  // `the Harbor wiki of Harbor`, `examples in Python`
  const isSame = JSON.stringify(inside.found) === JSON.stringify(around.found)
  return isSame || [...inside.found, ...around.found].every(({ of }) => of === 'code') ? 'apart' : null
}

/** Paths of a source. Null if it has no such pages. */
function withinSource(globs: readonly string[], source: string | null, { places }: Named): Resolved {
  if (source !== null && globs.some((glob) => places?.has(glob, source) === false)) return null
  return { found: globs.map((glob) => ({ of: 'path', glob })), scope: source }
}

type Within = { within: readonly string[]; sourceId: string | null; known: readonly Found[] }

/** The pages or sections with the name of a phrase, of these globs and this source: `the rate limits page of the guides`. */
function placesWithin(words: readonly Item[], { places }: Named, { within, sourceId, known }: Within): Found[] {
  const scope = sourceId === null ? {} : { sourceId }
  const isInside = (glob: string) => within.length === 0 || within.some((outer) => isBelow(glob, outer))
  const there = known.filter(
    (found) => found.of === 'path' && isInside(found.glob) && places?.has(found.glob, scope.sourceId) !== false,
  )
  if (there.length > 0 || !places) return there
  if (!words.every((item) => nameOf(item) !== null)) return []
  const kind = words.some((item) => has(item, 'section')) ? 'section' : 'pages'
  const found = places.find({ words: words.flatMap((item) => nameOf(item) ?? []), kind, within, ...scope })
  return found.map((glob) => ({ of: 'path', glob }))
}

/** The words with which an item of a phrase names pages. Null for a path, a version or the like. */
function nameOf(item: Item): string[] | null {
  if (item.meaning.part !== undefined) return item.meaning.part.key.split('-')
  if (isUnread(item) || item.isQuoted) return item.key.split(' ')
  return has(item, 'section', 'folder', 'generic', 'describes') ? [] : null
}

/** True if all pages of a glob are pages of the other one. */
const isBelow = (glob: string, outer: string): boolean => outer.endsWith('*') && glob.startsWith(outer.slice(0, -1))

/** A version of `the docs` may be a version of any source. */
function isVersionOfDocs(inside: readonly Found[], around: readonly Found[]): boolean {
  return inside.every(({ of }) => of === 'version') && around.every(({ of }) => of === 'kind')
}

function sourceOf(found: readonly Found[]): string | null {
  const [first] = found
  if (found.length !== 1 || first === undefined) return null
  if (first.of === 'kind') return first.sources.length === 1 ? (first.sources[0] ?? null) : null
  return first.of === 'source' ? first.sourceId : null
}
