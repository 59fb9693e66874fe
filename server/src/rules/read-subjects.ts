import type { SourceType } from '@docent/contract/values/sources'
import { has, type Item, numberOf } from './annotate.ts'
import type { RuleSource } from './source-names.ts'

/**
 * Something that a clause names. `flipped`: it follows `over` or `rather than`. `scope`: the source that contains it.
 */
export type Subject = Found & { flipped: boolean; scope?: string }

type Found =
  | { of: 'source'; sourceId: string }
  | { of: 'kind'; type: SourceType; sources: string[] }
  | { of: 'path'; glob: string }
  | { of: 'version'; version: string; written: string }
  | { of: 'recent'; halfLifeDays: number }
  | { of: 'code'; language?: string }

/** Half-life of a preference for recent pages without a period. */
const YEAR = 365
/** Globs for kinds that no source of the server has. */
const WITHOUT_SOURCE: Partial<Record<SourceType, string>> = { api: '*reference*', pdf: '*.pdf', docs: '*/docs/*' }

export type Named = { sources: readonly RuleSource[]; ownSource: string | null }

/** Finds what the items of a clause name, in order. */
export function readSubjects(items: readonly Item[], named: Named, isFlip: (index: number) => boolean): Subject[] {
  const subjects: Subject[] = []
  let flipped = false
  let before: Item | undefined
  for (const [index, item] of items.entries()) {
    if (isFlip(index)) flipped = true
    const found = subjectOf(items, index, named)
    if (found === null) continue
    const last = subjects.at(-1)
    const isInside = found.of === 'source' && has(items[index - 1], 'in') && last !== undefined && last.of !== 'source'
    const scoped = isInside ? found.sourceId : undefined
    if (scoped !== undefined && last?.of !== 'kind') for (const subject of subjects) subject.scope = scoped
    else if (!isAbsorbed(found, last, before === items[index - 1])) subjects.push({ ...found, flipped })
    before = item
  }
  return combine(subjects)
}

function subjectOf(items: readonly Item[], index: number, named: Named): Found | null {
  const item = items[index]
  if (item === undefined) return null
  const { meaning, version, glob } = item
  if (version !== null) return versionOf(version)
  if (has(item, 'latest')) return { of: 'version', version: 'latest', written: 'latest' }
  if (isNumberOfVersion(items, index)) return versionOf(item.key)
  if (glob !== null) return { of: 'path', glob }
  const [source] = item.sources
  if (source !== undefined && item.sources.length === 1) return { of: 'source', sourceId: source }
  if (has(item, 'this_source') && named.ownSource !== null) return { of: 'source', sourceId: named.ownSource }
  const folder = folderOf(items, index)
  if (folder !== null) return folder
  if (meaning.part) return partOf(meaning.part, named)
  if (meaning.code) return { of: 'code', language: meaning.code }
  if (meaning.codeWithNoun && has(items[index + 1], 'code')) return { of: 'code', language: meaning.codeWithNoun }
  if (meaning.kind) return kindOf(meaning.kind, items[index - 1], named)
  if (has(item, 'code')) return { of: 'code' }
  if (meaning.days !== undefined) return periodOf(items, index, meaning.days)
  if (has(item, 'recent') && !has(items[index + 1], 'version')) return { of: 'recent', halfLifeDays: YEAR }
  if (has(item, 'recent') || has(item, 'old')) return ageOf(items, index)
  return null
}

/** The version without `v`, in the form that searches compare. `x` means all versions of a line. */
function versionOf(written: string): Found {
  return { of: 'version', version: written.replace(/^v(?=\d)/, '').replace(/\.[x*]$/, ''), written }
}

function isNumberOfVersion(items: readonly Item[], index: number): boolean {
  const item = items[index]
  if (item === undefined || !/^\d+$/.test(item.key)) return false
  const before = items[index - 1]
  const isListed =
    has(before, 'and', 'or') && /^\d+$/.test(items[index - 2]?.key ?? '') && has(items[index - 3], 'version')
  return has(before, 'version') || isListed
}

/** `the admin and billing sections`: words before the noun name folders. `the tests folder` is one, not all tests. */
function folderOf(items: readonly Item[], index: number): Found | null {
  const item = items[index]
  const isPlain = item !== undefined && item.meaning.tags.length === 0 && /^[\p{L}\p{N}_-]+$/u.test(item.key)
  if (!isPlain) return null
  let next = index + 1
  while (next < items.length) {
    const following = items[next]
    if (has(following, 'folder')) return { of: 'path', glob: `*/${item.key}/*` }
    const isList = following !== undefined && (has(following, 'and', 'or') || /^[,]$/.test(following.key))
    const isWord = following?.meaning.tags.length === 0 && /^[\p{L}\p{N}_-]+$/u.test(following.key)
    if (!isList && !isWord) return null
    next++
  }
  return null
}

function partOf({ key, glob }: { key: string; glob: string }, { sources }: Named): Found {
  const own = sources.filter(({ url, label }) => {
    const host = URL.parse(url)?.hostname.split('.')[0] ?? ''
    return host === key || (label ?? '').toLowerCase().split(/\s+/).includes(key)
  })
  const [source] = own
  return source !== undefined && own.length === 1 ? { of: 'source', sourceId: source.id } : { of: 'path', glob }
}

/** The kind, or the one source of this kind that the word before names: `the kite docs`. */
function kindOf(kind: SourceType, before: Item | undefined, { sources }: Named): Found | null {
  const named = sources.filter(({ id, type }) => before?.sources.includes(id) && type === kind)
  const [source] = named
  if (source !== undefined && before !== undefined && before.sources.length > 1 && named.length === 1)
    return { of: 'source', sourceId: source.id }
  const ofKind = sources.filter(({ type }) => type === kind)
  if (ofKind.length > 0) return { of: 'kind', type: kind, sources: ofKind.map(({ id }) => id) }
  // A site whose kind was only guessed is documentation too.
  const sites = kind === 'docs' ? sources.filter(({ type }) => type === 'website') : []
  if (sites.length > 0) return { of: 'kind', type: 'website', sources: sites.map(({ id }) => id) }
  const glob = WITHOUT_SOURCE[kind]
  return glob === undefined ? null : { of: 'path', glob }
}

/** `the last 6 months`, in days. Negative for older pages. */
function periodOf(items: readonly Item[], index: number, days: number): Found | null {
  const number = numberOf(items[index - 1])
  const isPast =
    has(items[index - (number === null ? 1 : 2)], 'past') || items.some((item) => has(item, 'recent', 'old'))
  if (!isPast) return null
  // Months add up to a year.
  const total = days === 30 && number === 12 ? YEAR : (number ?? 1) * days
  const isOlder = items.slice(0, index).some((item) => has(item, 'old'))
  return { of: 'recent', halfLifeDays: isOlder ? -total : total }
}

/** `old` with `version` means the latest version, otherwise recent pages. `is outdated` is a reason, not a name. */
function ageOf(items: readonly Item[], index: number): Found | null {
  if (has(items[index - 1], 'is') || (has(items[index - 1], 'filler') && has(items[index - 2], 'is'))) return null
  const isVersion = has(items[index + 1], 'version') || has(items[index - 1], 'version')
  return isVersion ? { of: 'version', version: 'latest', written: 'old' } : { of: 'recent', halfLifeDays: -YEAR }
}

/** True for a noun that only repeats what is before it: `the acme-sdk repository`. */
function isAbsorbed(found: Found, last: Subject | undefined, isNext: boolean): boolean {
  return isNext && found.of === 'kind' && last?.of === 'source' && found.sources.includes(last.sourceId)
}

/** Merges subjects that belong together: a language and `examples`, a version and `docs`, a period and `recent`. */
function combine(subjects: readonly Subject[]): Subject[] {
  const hasLanguage = subjects.some((subject) => subject.of === 'code' && subject.language !== undefined)
  const hasVersion = subjects.some(({ of }) => of === 'version')
  const ages = subjects.flatMap((subject) => (subject.of === 'recent' ? subject : []))
  const exact = ages.find(({ halfLifeDays }) => Math.abs(halfLifeDays) !== YEAR)
  const period = exact ?? ages.find(({ halfLifeDays }) => halfLifeDays > 0) ?? ages[0]
  return subjects.filter((subject) => {
    if (subject.of === 'code') return !hasLanguage || subject.language !== undefined
    if (subject.of === 'kind') return !hasVersion || (subject.type !== 'docs' && subject.type !== 'website')
    if (subject.of === 'recent') return subject === period && !hasVersion
    return true
  })
}
