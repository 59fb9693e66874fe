import type { SourceType } from '@docent/contract/values/sources'
import type { Found, Named, Resolved } from './found.ts'
import { has, isUnread, type Item, numberOf } from './item.ts'
import { ageOf, isCodeName, versionAt, versionOf } from './read-versions.ts'
import { fold } from './tokenise.ts'

/** Words with which labels say what kind of source they are. */
const KIND_WORDS: Partial<Record<SourceType, RegExp>> = {
  docs: /\b(?:docs|documentation|dokumentation|documentacion|documentacao|documentazione)\b|文档|ドキュメント/,
}
/** Globs for kinds that no source of the server has. */
const WITHOUT_SOURCE: Partial<Record<SourceType, string[]>> = {
  api: ['*reference*', '*/api/*'],
  pdf: ['*.pdf'],
  docs: ['*/docs/*'],
}

const generic = (item: Item) => has(item, 'generic', 'describes', 'results', 'filler')
const place = (item: Item) => has(item, 'folder', 'section')

/**
 * `isNoun`: an article or a preposition is before the phrase, so that unknown words can be a name. `noun`: the noun that
 * an enumeration has after its last name. `isVersion`: the phrase before it in an enumeration is a version.
 */
type Around = { isNoun: boolean; noun: Item | undefined; isVersion: boolean }

/**
 * Reads a noun phrase whose words stand side by side. Each of them must have a part in the result: of `new blog posts`
 * nothing is read, because no effect prefers the new ones of some pages.
 */
export function resolveNames(items: readonly Item[], named: Named, { isNoun, noun, isVersion }: Around): Resolved {
  const left = new Set(items)
  const take = (test: (item: Item, index: number) => boolean) => {
    const taken = items.filter((item, index) => left.has(item) && test(item, index))
    for (const item of taken) left.delete(item)
    return taken
  }
  if (items.some(({ unknown }) => unknown)) return null
  if (items.length === 1 && has(items[0], 'it')) return 'it'
  if (
    items.some((item) => has(item, 'other')) &&
    items.every((item) => has(item, 'other', 'generic', 'filler', 'describes'))
  )
    return 'other'
  const scoped = (found: Found[] | null, allows: (item: Item) => boolean): Resolved => {
    const around = take(({ sources }) => sources.length > 0)
    const scope = around.length === 0 ? null : soleSource(around, [], named)
    take((item) => generic(item) || allows(item))
    return found === null || left.size > 0 || scope === undefined ? null : { found, scope }
  }
  const globs = take(({ glob }) => glob !== null).flatMap(({ glob }) => glob ?? [])
  const known = globs.flatMap((glob) => writtenGlob(glob, named) ?? [])
  if (known.length < globs.length) return null
  if (globs.length > 0)
    return scoped(
      known.map((glob) => ({ of: 'path' as const, glob })),
      (item) => place(item) || item.meaning.kind !== undefined || item.meaning.part !== undefined,
    )
  // `the 3.x folder`
  const folders = items.some(place)
    ? items.flatMap(({ version }) => (version === null ? [] : versionOf(version, named)))
    : []
  if (folders.length > 0) {
    take(({ version }) => version !== null)
    const paths = folders.flatMap(({ globs, isKnown }) => (isKnown || !named.places ? globs : []))
    return scoped(
      paths.length === 0 ? null : paths.map((glob) => ({ of: 'path', glob })),
      (item) => place(item) || has(item, 'version'),
    )
  }
  const versions = take((_, index) => versionAt(items, index, { isVersion, named }) !== null)
  if (versions.length > 0)
    return scoped(
      versions.flatMap((item) => versionAt(items, items.indexOf(item), { isVersion, named }) ?? []),
      (item) => has(item, 'version', 'old', 'code') || item.meaning.kind === 'docs',
    )
  const codes = take((item, index) => item.meaning.code !== undefined || isCodeName(items, index))
  const isCode = (item: Item) => has(item, 'code') && item.meaning.part === undefined && item.sources.length === 0
  if (codes.length > 0 || items.some(isCode))
    return scoped(
      codes.length === 0
        ? [{ of: 'code' }]
        : codes.map(({ meaning }) => ({ of: 'code', language: meaning.code ?? meaning.codeWithNoun ?? '' })),
      (item) => has(item, 'code'),
    )
  const age = ageOf(items)
  if (age !== null) {
    take(
      (item) =>
        has(item, 'recent', 'old', 'past', 'last') || numberOf(item) !== null || item.meaning.days !== undefined,
    )
    const site = take(({ meaning }) => meaning.kind !== undefined)
    const scope = site.length > 0 ? soleSource([], site, named) : null
    const read = scoped([age], () => false)
    return read === null || typeof read === 'string' || scope === undefined
      ? null
      : { ...read, scope: read.scope ?? scope }
  }
  if (items.some((item) => has(item, 'this_source')) && named.ownSource !== null)
    return { found: [{ of: 'source', sourceId: named.ownSource }], scope: null }
  if (items.every((item) => generic(item) || has(item, 'version'))) return 'generic'
  return resolveSources(items, named, { isNoun, noun })
}

/** The glob with some pages: `/changes` can mean `/changes.html`. Null if there are none. */
function writtenGlob(glob: string, { places }: Named): string | null {
  const file = glob.replace(/\/\*$/, '.html')
  return !places || places.has(glob) ? glob : places.has(file) ? file : null
}

/** A source, a kind of source, a part of a site, or a page by its name. */
function resolveSources(items: readonly Item[], named: Named, { isNoun, noun }: Omit<Around, 'isVersion'>): Resolved {
  // A part such as `wiki` can be a source of its own.
  const sourced = items.flatMap((item) => {
    const own = item.sources.length === 0 && item.meaning.part ? ownOf(item.meaning.part, named) : []
    return item.sources.length > 0 ? item : own.length > 0 ? { ...item, sources: own } : []
  })
  const isSourced = (item: Item) => sourced.some(({ start }) => start === item.start)
  const kinds = items.filter(({ meaning, sources }) => sources.length === 0 && meaning.kind !== undefined)
  const all = items.filter((item) => !isSourced(item) && item.meaning.kind === undefined && item.meaning.part)
  // `the PDF manual` is a PDF, whatever its name.
  const parts = all.filter(({ meaning: { part } }) => kinds.length === 0 || !part?.isDocument)
  const words = items.filter(
    (item) => (isUnread(item) || (item.isQuoted && item.sources.length === 0)) && !generic(item),
  )
  const places = [...items, ...(noun ? [noun] : [])].filter(place)
  const isSection = places.some((item) => has(item, 'section'))
  const known = new Set([...items.filter(isSourced), ...kinds, ...all, ...words])
  if (items.some((item) => !known.has(item) && !generic(item) && !place(item))) return null
  if (words.length > 0) {
    const isName =
      isNoun ||
      places.length > 0 ||
      items.some((item) => item.isQuoted || has(item, 'generic') || known.size > words.length)
    if (!isName) return null
    const scope = sourced.length + kinds.length === 0 ? null : soleSource(sourced, kinds, named)
    if (scope === undefined) return null
    const within = parts.flatMap((part) => globsOf(part, named))
    // `the operator manual` of a server without manuals is no page about operators.
    const isNowhere = named.places && parts.length > 0 && within.length === 0
    const where = { within, scope, isSection, isFolder: places.length > 0 }
    const inside = isNowhere ? [] : namedPlaces(words, where, named)
    if (!named.places || parts.length === 0 || (inside?.length ?? 0) > 0) return asPaths(inside, scope)
    // `the TLS readme` is called so as a whole.
    const whole = [...words, ...parts].toSorted((one, other) => one.start - other.start)
    return asPaths(namedPlaces(whole, { ...where, within: [], isFolder: false }, named), scope)
  }
  if (places.length > 0 && parts.length === 0) return sourced.length === 0 ? null : asSource(sourced, kinds, named)
  if (parts.length > 1) return null
  const [part] = parts
  if (part?.meaning.part === undefined) return asSource(sourced, kinds, named)
  const scope = sourced.length + kinds.length === 0 ? null : soleSource(sourced, kinds, named, globsOf(part, named))
  if (scope === undefined) return null
  // `the tests folder` is one folder, not all pages about tests.
  if (places.length > 0 && !isSection) return asPaths([`*/${part.key}/*`], scope)
  return asPaths(globsOf(part, named), scope)
}

function asPaths(globs: readonly string[] | null, scope: string | null): Resolved {
  if (globs === null || globs.length === 0) return null
  return { found: globs.map((glob) => ({ of: 'path', glob })), scope }
}

/** The one source that all the names mean, or the sources of the one kind. */
function asSource(sourced: readonly Item[], kinds: readonly Item[], named: Named): Resolved {
  const [kind] = kinds
  if (sourced.length === 0) {
    if (kind?.meaning.kind === undefined || kinds.some(({ meaning }) => meaning.kind !== kind.meaning.kind)) return null
    const found = kindOf(kind.meaning.kind, kind.key, named)
    return found && { found: [found], scope: null }
  }
  const sourceId = soleSource(sourced, kinds, named)
  return sourceId ? { found: [{ of: 'source', sourceId }], scope: null } : null
}

/** The source that all of these names can mean; of several the one with such a page. Undefined if there is none. */
function soleSource(
  sourced: readonly Item[],
  kinds: readonly Item[],
  { sources }: Named,
  globs: readonly string[] = [],
): string | null | undefined {
  const named = sources.filter(({ id }) => sourced.every((item) => item.sources.includes(id)))
  const ofKind = named.filter(({ type }) => kinds.every(({ meaning }) => meaning.kind === type))
  // A site whose kind was only guessed is documentation too.
  const loose = named.filter(({ type, label }) =>
    kinds.every(
      ({ meaning, key }) =>
        meaning.kind === type || (meaning.kind === 'docs' && type === 'website') || isInLabel(key, label),
    ),
  )
  const [first, ...more] = ofKind.length > 0 ? ofKind : loose
  // Pages of several sources are told apart by their path alone.
  if (first !== undefined && more.length > 0 && globs.length > 0) return null
  return more.length > 0 ? undefined : first?.id
}

const isInLabel = (word: string, label: string | null): boolean => ` ${fold(label ?? '')} `.includes(` ${word} `)

function kindOf(kind: SourceType, word: string, { sources, places }: Named): Found | null {
  const idsOf = (type: SourceType) => sources.filter((source) => source.type === type).map(({ id }) => id)
  // A label says more than a type, which can be a guess: `Kestrel documentation` is the documentation.
  const called = sources.filter(
    ({ type, label }) =>
      type !== 'mcp' && label !== null && (KIND_WORDS[kind]?.test(fold(label)) || isInLabel(word, label)),
  )
  const ofKind = idsOf(kind)
  const [own, ...more] = called
  const isTold = ofKind.length === 1 && ofKind[0] === own?.id
  if (own !== undefined && more.length === 0 && !isTold) return { of: 'source', sourceId: own.id }
  if (ofKind.length > 0) return { of: 'kind', type: kind, sources: ofKind }
  const sites = kind === 'docs' ? idsOf('website') : []
  if (sites.length > 0) return { of: 'kind', type: 'website', sources: sites }
  const globs = WITHOUT_SOURCE[kind] ?? []
  const glob = globs.find((each) => places?.has(each) !== false)
  return glob === undefined ? null : { of: 'path', glob }
}

/** Sources with the key of a part as their host or as a word of their label. */
function ownOf({ key }: NonNullable<Item['meaning']['part']>, { sources }: Named): string[] {
  return sources
    .filter(({ url, label }) => {
      const host = URL.parse(url)?.hostname.split('.')[0] ?? ''
      return (
        host === key ||
        fold(label ?? '')
          .split(/[^\p{L}\p{N}]+/u)
          .includes(key)
      )
    })
    .map(({ id }) => id)
}

/** Other folders of such a part. */
const PATHS: Readonly<Record<string, string[][]>> = { changelog: [['changes'], ['history']] }

/** The pages of a part of a site: those of its own folder, or all with its word in their path. */
function globsOf({ key, meaning: { part } }: Item, { places }: Named): readonly string[] {
  if (part === undefined) return []
  if (!places || part.glob === `*/${part.key}/*`) return places?.has(part.glob) === false ? [] : [part.glob]
  // `the recipes` are those at /recipes, if there are some.
  const names = [key.split(' '), part.key.split('-'), ...(PATHS[part.key] ?? [])]
  const own = names.map((words) => places.find({ words, kind: 'pages', within: [] })).find(({ length }) => length > 0)
  return own ?? (places.has(part.glob) ? [part.glob] : [])
}

type NamedPlaces = { within: readonly string[]; scope: string | null; isSection: boolean; isFolder: boolean }

/** Without indexed pages, only a noun such as `folder` makes a path of a word. */
function namedPlaces(
  words: readonly Item[],
  { within, scope, isSection, isFolder }: NamedPlaces,
  { places }: Named,
): readonly string[] | null {
  const keys = words.flatMap(({ key }) => key.split(/[^\p{L}\p{N}_]+/u).filter(Boolean))
  if (!places) return isFolder ? [`*/${words.map(({ key }) => key.replaceAll(' ', '-')).join('-')}/*`] : null
  const where = { words: keys, within, ...(scope === null ? {} : { sourceId: scope }) }
  const found = isSection ? places.find({ ...where, kind: 'section' }) : []
  return found.length > 0 ? found : places.find({ ...where, kind: 'pages' })
}
