import type { PlanPlace, PlanStep } from '@docent/contract/values/custom-tool-plan'
import { annotate } from '#grammar/annotate.ts'
import { has, isName, isUnread, type Item, NO_MEANING } from '#grammar/item.ts'
import type { PlaceNames } from '#grammar/place-names.ts'
import { readNames } from '#grammar/read-subjects.ts'
import { type NamedSource, sourceNames } from '#grammar/source-names.ts'
import { fold } from '#grammar/tokenise.ts'
import { requestLexicons } from './request-lexicons.ts'
import { isBetween, isOnlyAfter, type Polarity, readPolarity } from './read-polarity.ts'

type Span = { start: number; end: number }

/** The pages that a request allows: `only from the Helm chart, never from the blog`. */
export type Restriction = {
  filters: PlanStep['filters']
  /** Versions that the request names, as written. */
  versions: string[]
  /** The words that say it, with those before the names. */
  spans: Span[]
  /** A restriction that names nothing of the content, as written. */
  unread: string | null
  /** Versions that no page has in its address. Releases may have them. */
  unknownVersion: string | null
  /** A place that the request names, without saying if it is the only one or none, as written. */
  stray: string | null
  /** A preference, which a plan cannot have, as written. */
  preference: string | null
}

/** `places` answers which pages have a name. Null: nothing is indexed yet. */
export type Content = { sources: readonly NamedSource[]; pageVersions: readonly string[]; places: PlaceNames | null }

/** Names behind a mark such as `only` or `in`. */
type Group = { items: Item[]; span: Span; polarity: Polarity; isStrict: boolean }

/** Reads every restriction of a request to sources, kinds of sources, pages and versions. */
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
  for (const annotated of annotate(prompt, { lexicon: requestLexicons(), names: sourceNames(content.sources) })) {
    const plain = annotated.map((item) => withoutProduct(item, content.sources))
    const sentence = withFolders(plain, prompt, content.places)
    for (let at = 0; at < sentence.length; at++) {
      const group = groupAt(sentence, at)
      if (group === null) continue
      const written = prompt.slice(group.items[0]?.start ?? 0, group.items.at(-1)?.end ?? 0)
      const { places, version: own, isComplete, isKnown } = placesOf(group.items, content)
      const isNot = group.polarity === 'not'
      const isPreferred = has(sentence[at], 'up', 'down') && !has(sentence[at], 'only')
      if (own !== undefined) read.versions.push(own)
      if (!isKnown) read.unknownVersion ??= written
      if (isPreferred) {
        if (places.length > 0) read.preference ??= prompt.slice(group.span.start, group.span.end)
        continue
      }
      if (!isComplete && group.isStrict) read.unread ??= written
      if (places.length === 0 && own === undefined) continue
      if (group.polarity !== 'all') (isNot ? excluded : allowed).push(...places)
      if (isKnown) version ??= own
      read.spans.push(group.span)
      at = sentence.findLastIndex(({ end }) => end <= group.span.end)
    }
    read.stray ??= strayPlace(sentence, read.spans, prompt)
  }
  return { ...read, filters: filtersOf(allowed, excluded, version) }
}

/** The pages that a noun means, such as `guides`. Null if no page is one; undefined if any page can be. */
export function pagesCalled(noun: string, content: Content): PlanStep['filters'] | null {
  const [items = []] = annotate(noun, { lexicon: requestLexicons(), names: sourceNames(content.sources) })
  if (items.every((item) => has(item, 'generic', 'article'))) return undefined
  const { places, isComplete } = placesOf(items, content)
  return isComplete ? filtersOf(places, [], undefined) : null
}

/** A path or folder, unlike the name of a file. */
const isInSite = (glob: string | null) =>
  glob !== null && (glob.startsWith('/') || (glob.startsWith('*/') && glob.endsWith('/*')))

/** Parts of sites that are never only a topic, and those that a mention with `in` restricts to. */
const ASIDE = /^(?:blog|legacy|archive|forum|news|announcements|vendor|marketing|roadmap|pricing|cookbook)$/
const MENTIONED = /^(?:guide|faq|glossary|tutorial|troubleshooting)$/

/** A place of the content that a sentence names outside of its restrictions, as written, or null. */
function strayPlace(items: readonly Item[], spans: readonly Span[], prompt: string): string | null {
  const stray = items.find(({ start, end, key, sources, glob, meaning: { part } }, at) => {
    const isRead = spans.some((span) => span.start <= start && end <= span.end)
    const isSource = sources.length === 1 && key.includes(' ')
    const isPlace = isInSite(glob) || isSource || (part !== undefined && ASIDE.test(part.key))
    return isPlace && !isRead && !INDEFINITE.test(items[at - 1]?.key ?? '')
  })
  return stray === undefined ? null : prompt.slice(stray.start, stray.end)
}

/** Words between a mark such as `only` and the names. */
const BETWEEN = ['in', 'use', 'article', 'filler', 'describes', 'generic', 'folder', 'for', 'must', 'is'] as const
const LINK =
  /^(?:with|what|whatever|that|which|by|based|according|according to|content|contents|text|von|mit|was|avec|ce que|lo que|o que|con|com|cio che)$/
/** Verbs whose object is a place: `search the wiki for a topic`. */
const SEARCHES =
  /^(?:cite|cites|quote|search|searching|use|uses|using|consult|query|ask|look|draw|rely|read|answers? (?:questions )?(?:from|in|with|using)|durchsuche|benutze|nutze|verwende|utilise|consulte|usa|consulta|cerca)\b/
/** `the config page` */
const PAGE = / (?:pages?|section|seiten?|paginas?)$/
const DEFINITE =
  /^(?:the|der|die|das|dem|den|des|le|la|les|l'|du|el|los|las|del|o|a|os|as|do|da|no|na|il|lo|gli|i|della|dello|nel|nella|our|unser|unserem)$/
const INDEFINITE = /^(?:a|an|any|some|ein|eine|einer|einem|einen|un|une|una|um|uma|uno|one|each|every)$/
/** `only in plain words` need not name a place, unlike `only from`. */
/** `never from the newsletter` names a place, `never of one` none. */
const FROM = /^(?:from|aus|vom|depuis|desde|dal|dalla|dai|から)$/
const LOOSE = /^(?:in|en|auf|dans|with|mit|con|com|avec)$/

/** The names that a mark at an index introduces: `only from the guides and the wiki`, `in the changelog`. Null without any. */
function groupAt(sentence: readonly Item[], at: number): Group | null {
  const mark = sentence[at]
  if (mark === undefined) return null
  if (isName(mark)) return bareGroup(sentence, at)
  const isMarked =
    has(mark, 'only', 'not', 'exclude', 'except', 'flip', 'up', 'down', 'at_most') && !has(mark, 'version', 'latest')
  const isSearch = has(mark, 'use') && SEARCHES.test(mark.key)
  if (!isMarked && !isSearch && !has(mark, 'in', 'for')) return null
  let from = at + 1
  let link: Item | undefined = isMarked ? undefined : mark
  for (let item = sentence[from]; item !== undefined && !isName(item); item = sentence[from]) {
    const isLink = has(item, 'in', 'use', 'cited') || (isMarked && LINK.test(item.key))
    if (!isLink && !has(item, ...BETWEEN) && !isBetween(item)) break
    if (isLink) link ??= item
    if (INDEFINITE.test(item.key)) return null
    from++
  }
  const to = endOfNames(sentence, from)
  const items = sentence.slice(from, to)
  const [first] = items
  if (first === undefined || INDEFINITE.test(first.key) || first.isComma) return null
  const isVersion = items.some((item, index) => has(item, 'version') && /^\d+$/.test(items[index + 1]?.key ?? ''))
  const isNamed = isVersion || items.some((item) => isName(item) || item.version !== null || has(item, 'latest'))
  // `in the queue` is a restriction only if it names something of the content.
  const said = readPolarity(sentence, { from, to })
  const isUsed = SEARCHES.test(sentence[at - 1]?.key ?? '') && said.polarity === 'only'
  if (!isNamed && !(isMarked && (link !== undefined || said.isExcept || isUsed))) return null
  const isSaid = isMarked || said.polarity !== 'mention'
  if (!isSaid && !isVersion && !items.some((item, index) => isPlace(item, sentence[from + index - 1], items)))
    return null
  const isLoose = link === undefined || has(link, 'use', 'cited') || LOOSE.test(link.key)
  const isStrict = !isSaid || said.isExcept || (!isLoose && (said.polarity === 'only' || FROM.test(link?.key ?? '')))
  // `answer from` is also what the tool does.
  const own = has(mark, 'use') && mark.key.startsWith('answer') ? from : at
  return { items, span: spanOf(sentence, Math.min(own, said.from), said.to), polarity: said.polarity, isStrict }
}

/** Names with what says how to use them behind them: `The FAQ is the only source`. */
function bareGroup(sentence: readonly Item[], from: number): Group | null {
  const to = endOfNames(sentence, from)
  const { polarity, ...said } = readPolarity(sentence, { from, to })
  if (polarity === 'mention') return null
  return { items: sentence.slice(from, to), span: spanOf(sentence, said.from, said.to), polarity, isStrict: true }
}

function spanOf(sentence: readonly Item[], from: number, to: number): Span {
  return { start: sentence[from]?.start ?? 0, end: sentence[to - 1]?.end ?? 0 }
}

/** Without `only`, a mention restricts if it is one source, a part of a site, a path, a version, or a kind that is rarely a topic. */
function isPlace(item: Item, before: Item | undefined, group: readonly Item[]): boolean {
  const { key, sources, glob, version, isQuoted, meaning } = item
  if (version !== null || isInSite(glob)) return true
  // A single word of a name is one only with an article and alone: `the wiki`, unlike `the wiki syntax`.
  const isDefinite = DEFINITE.test(before?.key ?? '')
  const isAlone = isDefinite && !group.some(isUnread)
  if (sources.length === 1) return key.includes(' ') || isQuoted || isAlone
  if (meaning.part !== undefined)
    return ASIDE.test(meaning.part.key) || MENTIONED.test(meaning.part.key) || (isDefinite && PAGE.test(key))
  return (
    isDefinite && (meaning.kind === 'pdf' || meaning.kind === 'repo' || (meaning.language !== undefined && isAlone))
  )
}

function endOfNames(sentence: readonly Item[], from: number): number {
  let end = from
  for (const [at, item] of sentence.entries()) {
    if (at < from) continue
    if (item.isComma || has(item, 'and', 'or')) {
      const next = sentence
        .slice(at + 1)
        .find((each) => isName(each) || !has(each, 'filler', 'article', 'in', 'and', 'or'))
      if (item.isComma && has(sentence[at + 1], 'in')) break
      // Names of pages need not be words of the vocabulary: `only gitglossary and gitfaq`.
      const isListed = next !== undefined && isUnread(next) && at > from && isUnread(sentence[at - 1] ?? next)
      if (next === undefined || !(isName(next) || next.version !== null || isListed)) break
      continue
    }
    if (end > from && isOnlyAfter(sentence, at)) break
    const isInside =
      isName(item) ||
      item.version !== null ||
      item.unknown ||
      item.isQuoted ||
      isUnread(item) ||
      /^\d+$/.test(item.key) ||
      item.meaning.language !== undefined ||
      has(
        item,
        'filler',
        'article',
        'describes',
        'in',
        'generic',
        'folder',
        'section',
        'version',
        'latest',
        'old',
        'other',
      )
    // `in the glossary in one sentence`: what follows is no name.
    const isOver = end > from && has(item, 'in') && !isName(item) && !sentence.slice(at + 1, at + 4).some(isName)
    const isMark = has(item, 'not', 'but', 'only', 'exclude', 'except', 'when', 'answer') && !isName(item)
    if (isOver || !isInside || isMark) break
    end = at + 1
  }
  return end
}

/** Pages with all words of a group in their name, which the grammar can read as something else: `the common questions page`. */
function pagesNamed(given: readonly Item[], names: PlaceNames | null): PlanPlace[] {
  const words = given.filter((item) => !has(item, 'article', 'generic', 'folder', 'section', 'in') && !item.isComma)
  const isName = words.some(isUnread) && words.every(({ version, unknown }) => version === null && !unknown)
  const found = isName ? names?.find({ words: words.map(({ key }) => key), kind: 'pages', within: [] }) : []
  return (found ?? []).map((path) => ({ path }))
}

const NAMELESS = { sources: [], version: null, isQuoted: false, isComma: false, unknown: false, meaning: NO_MEANING }
const ARTICLE: Partial<Item> = {
  ...NAMELESS,
  glob: null,
  key: 'the',
  text: 'the',
  meaning: { tags: ['article', 'filler', 'noise'] },
}

type Places = { places: PlanPlace[]; version?: string; isComplete: boolean; isKnown: boolean }

/** The places of the content that a group names. `isComplete`: nothing of it names something else. */
function placesOf(given: readonly Item[], { sources, pageVersions, places: names }: Content): Places {
  const language = given.find(({ meaning }) => meaning.language)?.meaning.language
  const ofLanguage = `/${language}/*`
  if (language !== undefined && names?.has(ofLanguage) === true)
    return { places: [{ path: `/${language}` }], isComplete: true, isKnown: true }
  const [first] = given
  // Behind a mark all is a noun phrase, as behind an article.
  const items = first === undefined ? [] : [{ ...first, ...ARTICLE }, ...given]
  const { subjects, unknown } = readNames(items, { sources, ownSource: null, places: names })
  const nameOf = (id: string | undefined) => {
    const source = sources.find((each) => each.id === id)
    return source && { source: source.label ?? source.url }
  }
  let version: string | undefined
  const places = subjects.flatMap((subject): PlanPlace[] => {
    if (subject.of === 'source') return [nameOf(subject.sourceId) ?? {}]
    if (subject.of === 'kind') return [{ type: subject.type }]
    if (subject.of === 'version' && subject.written !== 'old') version = subject.version
    return subject.of === 'path' ? [{ ...nameOf(subject.scope), path: subject.glob.replace(/^(\/.*)\/\*$/, '$1') }] : []
  })
  const isKnown =
    version === undefined || version === 'latest' || pageVersions.some((each) => each.replace(/^v/i, '') === version)
  if (places.length === 0 && version === undefined) places.push(...pagesNamed(given, names))
  const isComplete = (unknown.length === 0 || subjects.length === 0) && (places.length > 0 || version !== undefined)
  return { places, ...(version === undefined ? {} : { version }), isComplete, isKnown }
}

/** A word that begins the label of a source is the product more often than the source: `Heron` of `Heron Handbook`. */
function withoutProduct(item: Item, sources: readonly NamedSource[]): Item {
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

/** Words joined by hyphens. */
const JOINED = /(?<![\p{L}\d-])[\p{L}\d]+(?:-[\p{L}\d]+)+/gu

/** Takes words that hyphens join as one if a folder has their name: `using-npm`. */
function withFolders(items: readonly Item[], prompt: string, places: PlaceNames | null): Item[] {
  const folders = [...prompt.matchAll(JOINED)].flatMap(({ index, 0: name }) => {
    const glob = `*/${fold(name)}/*`
    return places?.has(glob) === true ? { start: index, end: index + name.length, glob } : []
  })
  return items.flatMap((item) => {
    const folder = folders.find(({ start, end }) => start <= item.start && item.end <= end)
    if (folder === undefined) return item
    const { start, end, glob } = folder
    const text = prompt.slice(start, end)
    return item.start === start ? { ...item, ...NAMELESS, start, end, text, key: fold(text), glob } : []
  })
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
