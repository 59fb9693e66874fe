import type { PlanPlace, PlanStep } from '@docent/contract/values/custom-tool-plan'
import { annotate } from '#grammar/annotate.ts'
import type { Phrase } from '#grammar/compare-phrases.ts'
import { has, type Item, NO_MEANING } from '#grammar/item.ts'
import type { PlaceNames } from '#grammar/place-names.ts'
import { readPhrases } from '#grammar/read-subjects.ts'
import { type NamedSource, sourceNames } from '#grammar/source-names.ts'
import { fold } from '#grammar/tokenise.ts'
import { ruleLexicons } from './read-words.ts'

/** `places` answers which pages have a name. Null: nothing is indexed yet. */
export type Content = { sources: readonly NamedSource[]; pageVersions: readonly string[]; places: PlaceNames | null }

/** The pages that a noun means, such as `guides`. Null if no page is one; undefined if any page can be. */
export function pagesCalled(noun: string, content: Content): PlanStep['filters'] | null {
  const [items = []] = annotate(noun, { lexicon: ruleLexicons(), names: sourceNames(content.sources) })
  if (items.every((item) => has(item, 'generic', 'article'))) return undefined
  const named = { sources: content.sources, ownSource: null, places: content.places }
  const [phrase, ...more] = readPhrases([THE, ...items], named)
  const { places } = phrase && more.length === 0 ? placesOf(phrase, items, content) : { places: [] }
  return places.length > 0 ? filtersOf(places, [], undefined) : null
}

const NAMELESS = { sources: [], version: null, isQuoted: false, isComma: false, unknown: false, meaning: NO_MEANING }

/** Behind a mark all is a noun phrase, as behind an article. */
const THE: Item = {
  ...NAMELESS,
  start: 0,
  end: 0,
  key: 'the',
  text: 'the',
  language: 'en',
  glob: null,
  meaning: { tags: ['article', 'filler', 'noise'] },
}

export type Places = { places: PlanPlace[]; version?: string; isKnown: boolean }

/** The places of the content that a phrase means. */
export function placesOf(
  { resolved }: Pick<Phrase, 'resolved'>,
  given: readonly Item[],
  { sources, pageVersions, places: names }: Content,
): Places {
  const language = given.find(({ meaning }) => meaning.language)?.meaning.language
  if (language !== undefined && names?.has(`/${language}/*`) === true)
    return { places: [{ path: `/${language}` }], isKnown: true }
  if (resolved === null || typeof resolved === 'string') return { places: [], isKnown: true }
  const nameOf = (id: string | null) => {
    const source = sources.find((each) => each.id === id)
    return source && { source: source.label ?? source.url }
  }
  let version: string | undefined
  const places = resolved.found.flatMap((found): PlanPlace[] => {
    if (found.of === 'source') return [nameOf(found.sourceId) ?? {}]
    if (found.of === 'kind') return [{ type: found.type }]
    if (found.of === 'version' && found.written !== 'old') version = found.version
    return found.of === 'path' ? [{ ...nameOf(resolved.scope), path: found.glob.replace(/^(\/.*)\/\*$/, '$1') }] : []
  })
  const isKnown =
    version === undefined || version === 'latest' || pageVersions.some((each) => each.replace(/^v/i, '') === version)
  return { places, ...(version === undefined ? {} : { version }), isKnown }
}

/** A word that begins the label of a source is the product more often than the source: `Heron` of `Heron Handbook`. */
export function withoutProduct(item: Item, sources: readonly NamedSource[]): Item {
  const own =
    item.sources.length === 0 ? sources : sources.filter(({ id }) => item.sources.every((each) => each === id))
  const isName = isProduct(item.key, own) && item.meaning.part === undefined
  return isName ? { ...item, sources: [], meaning: { tags: ['describes'] } } : item
}

/** True for the first word of the label of a source. */
export function isProduct(word: string, sources: readonly NamedSource[]): boolean {
  return sources.some(({ label }) => {
    const words = fold(label ?? '').split(/[^\p{L}\p{N}]+/u)
    return words.length > 1 && words[0] === fold(word)
  })
}

/** Adds the sources of the one product that a request names, where each documentation is about another one. */
export function withProduct(
  filters: PlanStep['filters'],
  words: readonly Item[],
  sources: readonly NamedSource[],
): PlanStep['filters'] {
  const { source, type, path, anyOf } = filters ?? {}
  if (source ?? type ?? path ?? anyOf) return filters
  const namesOf = ({ label }: NamedSource) => fold(label ?? '').split(/[^\p{L}\p{N}]+/u)
  const products = sources.flatMap((each) => (each.type === 'docs' ? (namesOf(each)[0] ?? []) : []))
  const named = products.filter((product) => words.some(({ key }) => key === product || key.startsWith(`${product}-`)))
  const [product = ''] = named
  if (product === '' || named.length > 1 || new Set(products).size < products.length || products.length < 2)
    return filters
  const own = sources.filter((each) => namesOf(each).includes(product))
  const places = own.map(({ label, url }) => ({ source: label ?? url }))
  return { ...filtersOf(places, [], undefined), ...filters }
}

export function filtersOf(
  allowed: PlanPlace[],
  excluded: PlanPlace[],
  version: string | undefined,
): PlanStep['filters'] {
  const different = (places: readonly PlanPlace[]) => [
    ...new Map(places.map((place) => [JSON.stringify(place), place])).values(),
  ]
  const [only, ...others] = different(allowed)
  const not = different(excluded)
  const filters = {
    ...(others.length === 0 ? only : { anyOf: different(allowed) }),
    ...(not.length > 0 ? { not } : {}),
    ...(version === undefined ? {} : { version }),
  }
  return Object.keys(filters).length > 0 ? filters : undefined
}
