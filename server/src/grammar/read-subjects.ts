import type { SourceType } from '@docent/contract/values/sources'
import { has, type Item, numberOf } from './annotate.ts'
import { isContrast, isPlace } from './read-modifiers.ts'
import type { NamedSource } from './source-names.ts'

/** Something that a clause names. `flipped`: after `over` or `rather than`. `scope`: the source around it. */
export type Subject = Found & { flipped: boolean; scope?: string }

type Found =
  | { of: 'source'; sourceId: string }
  | { of: 'kind'; type: SourceType; sources: string[] }
  | { of: 'path'; glob: string }
  /** Without `v`, in the form that searches compare. `written`: as in the sentence, `latest` or `old`. */
  | { of: 'version'; version: string; written: string }
  /** Negative for older pages. */
  | { of: 'recent'; halfLifeDays: number }
  | { of: 'code'; language?: string }

/** Half-life of a preference for recent pages without a period. */
const YEAR = 365
/** Globs for kinds that no source of the server has. */
const WITHOUT_SOURCE: Partial<Record<SourceType, string>> = { api: '*reference*', pdf: '*.pdf', docs: '*/docs/*' }
const WORD = /^[\p{L}\p{N}_-]+$/u

/** `ownSource`: the only source that the sentence is about, or null. */
export type Named = { sources: readonly NamedSource[]; ownSource: string | null }

/** Finds what the items of a clause name, in order. */
export function readSubjects(items: readonly Item[], named: Named): Subject[] {
  const subjects: Subject[] = []
  let flipped = false
  let before: Item | undefined
  for (const [index, item] of items.entries()) {
    // `over`, `rather than`, or a negation before a name and after a predicate: `not the old ones`.
    flipped ||= has(item, 'flip') ? !isPlace(items, index) : has(item, 'not') && isContrast(items, index)
    const found = subjectOf(items, index, named)
    if (found === null) continue
    const last = subjects.at(-1)
    const isInside = found.of === 'source' && has(items[index - 1], 'in') && last !== undefined && last.of !== 'source'
    // A noun can repeat what is before it: `the acme-sdk repository`.
    const isRepeated =
      found.of === 'kind' &&
      last?.of === 'source' &&
      before === items[index - 1] &&
      found.sources.includes(last.sourceId)
    if (isInside && last.of !== 'kind') for (const subject of subjects) subject.scope = found.sourceId
    else if (!isRepeated) subjects.push({ ...found, flipped })
    before = item
  }
  return combine(subjects)
}

function subjectOf(items: readonly Item[], index: number, named: Named): Found | null {
  const item = items[index]
  if (item === undefined) return null
  const { meaning, version, glob, key, sources } = item
  const next = items[index + 1]
  if (version !== null) return versionOf(version)
  if (has(item, 'latest')) return { of: 'version', version: 'latest', written: 'latest' }
  if (isNumberOfVersion(items, index)) return versionOf(key)
  if (glob !== null) return { of: 'path', glob }
  const [sourceId] = has(item, 'this_source') && sources.length !== 1 ? [named.ownSource] : sources
  if (sourceId && sources.length < 2) return { of: 'source', sourceId }
  if (isFolder(items, index)) return { of: 'path', glob: `*/${key}/*` }
  if (meaning.part) return partOf(meaning.part, named)
  if (meaning.code) return { of: 'code', language: meaning.code }
  if (meaning.codeWithNoun && has(next, 'code')) return { of: 'code', language: meaning.codeWithNoun }
  if (meaning.kind) return kindOf(meaning.kind, items[index - 1], named)
  if (has(item, 'code')) return { of: 'code' }
  if (meaning.days !== undefined) return periodOf(items, index, meaning.days)
  if (has(item, 'recent') && !has(next, 'version')) return { of: 'recent', halfLifeDays: YEAR }
  return has(item, 'recent', 'old') ? ageOf(items, index) : null
}

/** `x` means all versions of a line. */
function versionOf(written: string): Found {
  return { of: 'version', version: written.replace(/^v(?=\d)/, '').replace(/\.[x*]$/, ''), written }
}

/** `version 4`, and the second number of `versions 3 and 4`. */
function isNumberOfVersion(items: readonly Item[], index: number): boolean {
  const isNumber = (at: number) => /^\d+$/.test(items[at]?.key ?? '')
  if (!isNumber(index)) return false
  const isListed = has(items[index - 1], 'and', 'or') && isNumber(index - 2)
  return has(items[isListed ? index - 3 : index - 1], 'version')
}

/** `the admin and billing sections`: words before the noun name folders. `the tests folder` is one, not all tests. */
function isFolder(items: readonly Item[], index: number): boolean {
  const isWord = (item: Item) => item.meaning.tags.length === 0 && WORD.test(item.key)
  const rest = items.slice(index)
  const end = rest.findIndex((item, at) => !isWord(item) && (at === 0 || !(has(item, 'and', 'or') || item.isComma)))
  return end > 0 && has(rest[end], 'folder')
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
  const idsOf = (type: SourceType) => sources.filter((source) => source.type === type).map(({ id }) => id)
  const ofKind = idsOf(kind)
  const named = ofKind.filter((id) => before?.sources.includes(id))
  if (named.length === 1 && before !== undefined && before.sources.length > 1)
    return { of: 'source', sourceId: named[0] ?? '' }
  if (ofKind.length > 0) return { of: 'kind', type: kind, sources: ofKind }
  // A site whose kind was only guessed is documentation too.
  const sites = kind === 'docs' ? idsOf('website') : []
  if (sites.length > 0) return { of: 'kind', type: 'website', sources: sites }
  const glob = WITHOUT_SOURCE[kind]
  return glob === undefined ? null : { of: 'path', glob }
}

/** `the last 6 months`, in days. */
function periodOf(items: readonly Item[], index: number, days: number): Found | null {
  const number = numberOf(items[index - 1])
  const isPast = has(items[index - (number === null ? 1 : 2)], 'past')
  if (!isPast && !items.some((item) => has(item, 'recent', 'old'))) return null
  // Months add up to a year.
  const total = days === 30 && number === 12 ? YEAR : (number ?? 1) * days
  const isOlder = items.slice(0, index).some((item) => has(item, 'old'))
  return { of: 'recent', halfLifeDays: isOlder ? -total : total }
}

/** `old` with `version` means the latest version, otherwise recent pages. `is outdated` is a reason, not a name. */
function ageOf(items: readonly Item[], index: number): Found | null {
  const [second, before] = [items[index - 2], items[index - 1]]
  if (has(before, 'is') || (has(before, 'filler') && has(second, 'is'))) return null
  const isVersion = has(items[index + 1], 'version') || has(before, 'version')
  return isVersion ? { of: 'version', version: 'latest', written: 'old' } : { of: 'recent', halfLifeDays: -YEAR }
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
    return subject.of !== 'recent' || (subject === period && !hasVersion)
  })
}
