import type { PlanPlace, PlanStep } from '@docent/contract/values/custom-tool-plan'
import { annotate } from '#grammar/annotate.ts'
import { has, isName, isUnread, type Item } from '#grammar/item.ts'
import { createLexicon, type Lexicons } from '#grammar/lexicon.ts'
import { readSubjects } from '#grammar/read-subjects.ts'
import { sourceNames } from '#grammar/source-names.ts'
import { fold } from '#grammar/tokenise.ts'
import type { Survey } from './survey.ts'

type Span = { start: number; end: number }

/** The pages that a request allows: `only from the Helm chart, never from the blog`. */
export type Restriction = {
  filters: PlanStep['filters']
  /** Versions that the request names, as written. */
  versions: string[]
  /** The words that say it, with those before the names. */
  spans: Span[]
  /** A restriction that names nothing of the content, as written, and whether it is one that cannot be ignored. */
  unread: string | null
  /** Versions that no page has in its address. Releases may have them. */
  unknownVersion: string | null
  /** A place that the request names, without saying if it is the only one or none, as written. */
  stray: string | null
  /** A preference, which a plan cannot have, as written. */
  preference: string | null
}

type Content = Pick<Survey, 'sources' | 'paths' | 'parts' | 'pageVersions'>
type Group = { items: Item[]; span: Span; link: Item | undefined; isMarked: boolean }

/** Built on first use: few services build tools. */
const lexiconOf = (() => {
  let lexicon: Lexicons | null = null
  return () => (lexicon ??= createLexicon())
})()

/** Reads every restriction of a request to sources, kinds of sources, paths and versions. */
export function readRestriction(prompt: string, content: Content): Restriction {
  const read: Restriction = {
    filters: undefined,
    versions: [],
    spans: [],
    unread: null,
    unknownVersion: null,
    stray: null,
    preference: null,
  }
  const allowed: PlanPlace[] = []
  const excluded: PlanPlace[] = []
  let version: string | undefined
  for (const sentence of annotate(prompt, { lexicon: lexiconOf(), names: sourceNames(content.sources) })) {
    for (let at = 0; at < sentence.length; at++) {
      const group = groupAt(sentence, at)
      if (group === null) continue
      const written = prompt.slice(group.items[0]?.start ?? 0, group.items.at(-1)?.end ?? 0)
      const { places, version: own, isComplete, isKnown } = placesOf(group.items, written, content)
      const isNot = isNegated(sentence, at)
      const isPreferred = has(sentence[at], 'up', 'down') && !has(sentence[at], 'only')
      if (own !== undefined) read.versions.push(own)
      if (isPreferred) {
        if (places.length > 0) read.preference ??= prompt.slice(group.span.start, group.span.end)
        continue
      }
      if (places.length === 0 && own === undefined) {
        if (!isNot && isStrict(group)) read.unread ??= written
        continue
      }
      if (!isKnown) read.unknownVersion ??= written
      if (!isComplete && !isNot && isStrict(group)) read.unread ??= written
      ;(isNot ? excluded : allowed).push(...places)
      if (isKnown) version ??= own
      read.spans.push(group.span)
      at = sentence.findLastIndex(({ end }) => end <= group.span.end)
    }
    read.stray ??= strayPlace(sentence, read.spans, prompt)
  }
  return { ...read, filters: filtersOf(allowed, excluded, version) }
}

/** The pages that a noun means: `/guides` for `guides`. Null if no page is one; undefined if any page can be. */
export function pagesCalled(noun: string, content: Content): PlanStep['filters'] | null {
  const key = fold(noun)
  if (lexiconOf().of(key.split(' '), noun).find(key)?.part === undefined) return undefined
  return readRestriction(`only from the ${noun}`, content).filters ?? null
}

/** Parts of sites that are never only a topic. */
const ASIDE = /^(?:blog|legacy|archive|forum|news|announcements|vendor|marketing|roadmap|pricing|cookbook)$/

/** A place of the content that a sentence names outside of its restrictions, as written, or null. */
function strayPlace(items: readonly Item[], spans: readonly Span[], prompt: string): string | null {
  const stray = items.find(({ start, end, key, sources, glob, meaning: { part } }, at) => {
    const isRead = spans.some((span) => span.start <= start && end <= span.end)
    const isPlace =
      glob?.startsWith('/') === true ||
      (sources.length === 1 && key.includes(' ')) ||
      (part !== undefined && ASIDE.test(part.key))
    return isPlace && !isRead && !INDEFINITE.test(items[at - 1]?.key ?? '')
  })
  return stray === undefined ? null : prompt.slice(stray.start, stray.end)
}

/** True for `never from X`, `but not X`, `without X`, and for a mention with such a word before it. */
function isNegated(sentence: readonly Item[], at: number): boolean {
  if (has(sentence[at], 'only')) return false
  const isNot = (item: Item | undefined) =>
    has(item, 'not', 'exclude') || (has(item, 'flip') && /\bnot\b|instead|rather|place of/.test(item?.key ?? ''))
  return (
    isNot(sentence[at]) || (!has(sentence[at], 'up', 'down') && sentence.slice(Math.max(0, at - 2), at).some(isNot))
  )
}

/** Words between a mark such as `only` and the names. */
const BETWEEN = ['in', 'use', 'article', 'filler', 'describes', 'generic', 'folder', 'for', 'must', 'is'] as const
/** Verbs whose object is a place: `search the wiki for a topic`. */
const SEARCHES =
  /^(?:search|searching|use|uses|using|consult|query|ask|look|draw|rely|read|durchsuche|benutze|nutze|verwende|utilise|consulte|usa|consulta|cerca)\b/
const DEFINITE =
  /^(?:the|der|die|das|dem|den|des|le|la|les|l'|du|el|los|las|del|o|a|os|as|do|da|no|na|il|lo|gli|i|della|dello|nel|nella|our|unser|unserem)$/
const INDEFINITE = /^(?:a|an|any|some|ein|eine|einer|einem|einen|un|une|una|um|uma|uno|one|each|every)$/

/** The names that a mark at an index introduces: `only from the guides and the wiki`, `in the changelog`. Null without any. */
function groupAt(sentence: readonly Item[], at: number): Group | null {
  const mark = sentence[at]
  const isMarked = has(mark, 'only', 'not', 'exclude', 'flip', 'up', 'down') && !has(mark, 'version', 'latest')
  const isSearch = has(mark, 'use') && SEARCHES.test(mark?.key ?? '')
  if (mark === undefined || (!isMarked && !isSearch && !has(mark, 'in', 'for'))) return null
  let from = at + 1
  let link: Item | undefined = isMarked ? undefined : mark
  while (from < sentence.length && has(sentence[from], ...BETWEEN) && !isName(sentence[from] as Item)) {
    if (has(sentence[from], 'in', 'use')) link ??= sentence[from]
    if (INDEFINITE.test(sentence[from]?.key ?? '')) return null
    from++
  }
  const end = endOfNames(sentence, from)
  const items = sentence.slice(from, end)
  if (items.length === 0 || INDEFINITE.test(items[0]?.key ?? '')) return null
  const hasVersion = items.some((item, index) => has(item, 'version') && /^\d+$/.test(items[index + 1]?.key ?? ''))
  const isNamed =
    hasVersion ||
    items.some(
      (item) => isName(item) || item.version !== null || item.unknown || has(item, 'latest') || item.meaning.language,
    )
  // `in the queue` is a restriction only if it names something of the content.
  if (!isNamed && !(isMarked && link !== undefined)) return null
  if (!isMarked && !hasVersion && !items.some((item, index) => isNamedPlace(item, sentence[from + index - 1], items)))
    return null
  return { items, span: { start: mark.start, end: items.at(-1)?.end ?? mark.end }, link, isMarked }
}

/** Without `only`, a mention restricts if it is one source, a part of a site, a path, a version, or a kind that is rarely a topic. */
function isNamedPlace(item: Item, before: Item | undefined, group: readonly Item[]): boolean {
  const {
    key,
    sources,
    glob,
    version,
    isQuoted,
    meaning: { kind, part },
  } = item
  if (version !== null || (glob !== null && glob.startsWith('/'))) return true
  // A single word of a name is one only with an article and alone: `the wiki`, unlike `the wiki syntax`.
  const isAlone = DEFINITE.test(before?.key ?? '') && !group.some(isUnread)
  if (sources.length === 1) return key.includes(' ') || isQuoted || isAlone
  if (part !== undefined)
    return ASIDE.test(part.key) || /^(?:guide|faq|glossary|tutorial|troubleshooting)$/.test(part.key)
  return kind === 'pdf' || kind === 'repo'
}

function endOfNames(sentence: readonly Item[], from: number): number {
  let end = from
  for (let at = from; at < sentence.length; at++) {
    const item = sentence[at] as Item
    const isJoint = item.isComma || has(item, 'and', 'or')
    if (isJoint) {
      const rest = sentence.slice(at + 1).filter((each) => !has(each, 'filler', 'in', 'and', 'or') || isName(each))
      const next = rest[0]
      if (next === undefined || !(isName(next) || next.glob !== null || next.version !== null)) break
      continue
    }
    const isInside =
      isName(item) ||
      item.version !== null ||
      item.unknown ||
      item.isQuoted ||
      isUnread(item) ||
      /^\d+$/.test(item.key) ||
      has(item, 'filler', 'in', 'generic', 'folder', 'version', 'latest', 'old', 'code', 'other', 'this_source')
    // `in the glossary in one sentence`: what follows is no name.
    const isOver =
      end > from &&
      has(item, 'in') &&
      !isName(item) &&
      !sentence.slice(at + 1).some((each, next) => next < 3 && isName(each))
    if (isOver || !isInside || (has(item, 'not', 'but', 'only', 'exclude', 'when') && !isName(item))) break
    end = at + 1
  }
  return end
}

/** `only from`, unlike `only in plain words` and `only using`. */
function isStrict({ link, isMarked }: Group): boolean {
  if (!isMarked) return true
  return link !== undefined && !has(link, 'use') && !/^(?:in|en|auf|dans|with|mit|con|com|avec)$/.test(link.key)
}

type Places = { places: PlanPlace[]; version?: string; isComplete: boolean; isKnown: boolean }

function placesOf(items: readonly Item[], written: string, content: Content): Places {
  const { sources, pageVersions } = content
  const subjects = readSubjects(items, { sources, ownSource: null })
  const nameOf = (id: string | undefined) => {
    const source = sources.find((each) => each.id === id)
    return source && { source: source.label ?? source.url }
  }
  const isOne = subjects.length === 1
  let version: string | undefined
  const places = subjects.flatMap((subject): PlanPlace[] => {
    if (subject.of === 'source') return [nameOf(subject.sourceId) ?? {}]
    if (subject.of === 'kind') return [{ type: subject.type }]
    if (subject.of === 'version' && subject.written !== 'old') version = subject.version
    if (subject.of !== 'path') return []
    // Of several places, each has its own words.
    const path = pathOf(subject.glob, isOne ? written : '', content)
    return path === null ? [] : [{ ...nameOf(subject.scope), path }]
  })
  const language = items.find(({ meaning }) => meaning.language)?.meaning.language
  const ofLanguage = `/${language}/*`
  if (language !== undefined && content.parts.includes(ofLanguage))
    return { places: [{ path: ofLanguage }], isComplete: true, isKnown: true }
  const isNamed = subjects.length > 0 && subjects.every(({ of }) => of !== 'path')
  if (places.length === 0 && !isNamed) {
    const path = pathNamed(written, content.paths)
    if (path !== undefined) return { places: [{ path }], isComplete: true, isKnown: true }
  }
  const isKnown =
    version === undefined || version === 'latest' || pageVersions.some((each) => each.replace(/^v/i, '') === version)
  const wanted = subjects.filter(({ of }) => of === 'source' || of === 'kind' || of === 'path').length
  // A kind or a part with a word that nothing has: `the Sprocket forum`.
  const isComplete =
    places.length === wanted && !(places.every(({ source }) => source === undefined) && items.some(isUnread))
  return { places, ...(version === undefined ? {} : { version }), isComplete, isKnown }
}

/** A path of the content for a glob: `/guides` for `the guides`. Null if no page matches. */
function pathOf(glob: string, written: string, { paths, parts }: Content): string | null {
  if (/^\/.*\/\*$/.test(glob)) return glob.slice(0, -2)
  if (!glob.startsWith('*')) return glob
  const own = pathNamed(written, paths) ?? pathNamed(glob.replaceAll(/[*/]/g, ' '), paths)
  if (own !== undefined) return own
  return parts.includes(glob) || glob.startsWith('*/') ? glob : null
}

function filtersOf(allowed: PlanPlace[], excluded: PlanPlace[], version: string | undefined): PlanStep['filters'] {
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

/** The path of the content with most of the words. */
function pathNamed(written: string, paths: readonly string[]): string | undefined {
  const wanted = wordsOf(written)
  const scored = paths.map((path) => {
    const words = wordsOf(path.split('/').at(-1) ?? '')
    const common = words.filter((word) => wanted.includes(word)).length
    return { path, score: common / Math.max(1, words.length) + common / Math.max(1, wanted.length) }
  })
  const [best] = scored.toSorted((one, other) => other.score - one.score || one.path.length - other.path.length)
  return best !== undefined && best.score >= 1 ? best.path : undefined
}

/** Words without plural endings. */
function wordsOf(text: string): string[] {
  const words = fold(text).match(/[\p{L}\p{N}]+/gu) ?? []
  return words
    .filter((word) => !/^(?:the|and|of|our|its|pages?|docs?|documentation)$/.test(word))
    .map((word) => word.replace(/(?<=\w{3})s$/, ''))
}
