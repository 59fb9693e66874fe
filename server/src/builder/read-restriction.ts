import type { PlanPlace, PlanStep } from '@docent/contract/values/custom-tool-plan'
import { annotate } from '#grammar/annotate.ts'
import { isJoint } from '#grammar/clause-words.ts'
import type { Phrase } from '#grammar/compare-phrases.ts'
import type { Found } from '#grammar/found.ts'
import { has, isUnread, type Item } from '#grammar/item.ts'
import { isPlace, readStrength } from '#grammar/read-modifiers.ts'
import { linkPhrases } from '#grammar/link-phrases.ts'
import { readPhrases } from '#grammar/read-subjects.ts'
import { sourceNames } from '#grammar/source-names.ts'
import { type Content, filtersOf, type Places, placesOf, withoutProduct } from './resolve-places.ts'
import { readSentences, ruleLexicons, type Span, taskOf, thingOf } from './read-words.ts'

/** The pages that a request allows: `only from the Helm chart, never from the blog`. */
export type Restriction = {
  filters: PlanStep['filters']
  /** Versions that the request names, as written, with `>` for those since one. */
  versions: string[]
  /** The words that say it, with those before the names. */
  spans: Span[]
  /** What the request restricts, but names nothing of the content, as written. */
  unread: string | null
  /** Versions that no page has in its address. Releases may have them. */
  unknownVersion: string | null
  /** A place that the request names, without saying if it is the only one or none, as written. */
  stray: string | null
  /** A preference, which a plan cannot have, as written. */
  preference: string | null
  /** Parts of the sentence with a negation, `only` or the like that restricts no place. */
  open: Span[]
}

/** What a request says about a place. `all`: it is allowed too. `mention`: nothing. */
type Said = 'only' | 'not' | 'all' | 'prefer' | 'use' | 'mention'

/** A name with the words beside it that say how to use it, as offsets into its sentence. */
type Place = { phrase: Phrase; said: Said; from: number; to: number; isListed: boolean }

/** Parts of sites that are never only a topic, and those that a mention with `in` restricts to. */
const ASIDE = /^(?:blog|legacy|archive|forum|news|announcements|vendor|marketing|roadmap|pricing|cookbook)$/
const MENTIONED = /^(?:guide|faq|glossary|tutorial|troubleshooting)$/
/** Verbs whose object is a place: `search the wiki for a topic`. */
const SEARCHES =
  /^(?:cite|quote|search|use|using|consult|query|ask|look|draw|rely|read|take|durchsuche|benutze|nutze|verwende|utilise|consulte|usa|consulta|cerca)/
/** `never from the newsletter` names a place, `never of one` none. */
const FROM = /(?:^| )(?:from|aus|vom|depuis|desde|dal|dalla|dai|から)$/
/** `the usage pages` are some of the content, `pages` need not be. */
const PAGES = /(?:^| )(?:pages?|section|seiten?|paginas?)$/
const TIME = /^(?:before|after|vor|nach|avant|apres|antes(?: de)?|prima(?: di)?)\b/
export const SINCE = /^(?:since|after|newer than|seit|ab|depuis|desde|dalla)$/
/** `only if it has nothing` */
const IF = /^(?:if|when|falls|wenn|si|cuando|se|quando)$/
const RELATIVE = /^(?:that|which|who|whose|qui|que|che)$/
const MARKS = ['only', 'not', 'except', 'exclude', 'flip'] as const
const NOWHERE: Places = { places: [], isKnown: true }
/** Words between such a word and a name: `no en el de rsyslog`. */
const NEAR = 4

/** Reads every restriction of a request to sources, kinds of sources, pages and versions, with the grammar of rules. */
export function readRestriction(prompt: string, content: Content): Restriction {
  const open = { unread: null, unknownVersion: null, stray: null, preference: null, open: [] }
  const read: Restriction = { filters: undefined, versions: [], spans: [], ...open }
  const allowed: PlanPlace[] = []
  const excluded: PlanPlace[] = []
  let version: string | undefined
  for (const annotated of annotate(prompt, { lexicon: ruleLexicons(), names: sourceNames(content.sources) })) {
    // `the Postfix docs` are a source, `a Postfix parameter` is none.
    const sentence = annotated.map((item, at) =>
      annotated[at + 1]?.meaning.kind === undefined ? withoutProduct(item, content.sources) : item,
    )
    let isAllowed = false
    for (const place of placesIn(sentence, content)) {
      const { phrase, said, from } = place
      // `from the guides and the FAQ`
      const isMore = isAllowed && place.isListed
      isAllowed = false
      if (INDEFINITE.test(sentence[phrase.from - 1]?.key ?? '')) continue
      const items = sentence.slice(phrase.from, phrase.to)
      // `the guides in section 5`, which no page says
      const number = sentence.findIndex(({ key }, at) => at >= phrase.to && at < phrase.to + 3 && /^\d+$/.test(key))
      const isNumbered = number > 0 && has(sentence[number - 1], 'section')
      const written = textOf(prompt, sentence.slice(phrase.from, isNumbered ? number + 1 : phrase.to))
      const found = isNumbered ? NOWHERE : placesOf(phrase, items, content)
      const isVersion = found.version !== undefined && found.version !== 'latest'
      const isSince = SINCE.test(sentence[phrase.from - 1]?.key ?? '')
      if (found.version !== undefined) read.versions.push(`${isSince ? '>' : ''}${found.version}`)
      if (!found.isKnown) read.unknownVersion ??= written
      const isIf = said !== 'mention' && isConditional(sentence, place)
      const isOwn = isRestricting(sentence, place) || /^['’]s\b/.test(prompt.slice(items.at(-1)?.end))
      if ((said === 'prefer' || isIf) && found.places.length > 0)
        read.preference ??= textOf(prompt, sentence.slice(from, phrase.to))
      else if (found.places.length === 0 && !isVersion) {
        if (isStrict(sentence, place)) read.unread ??= written
      } else if (said !== 'mention' || isVersion || isOwn || isMore) {
        isAllowed = said === 'mention'
        const out = said === 'not' && found.version !== undefined ? pagesOfVersion(found.version, content) : []
        if (said !== 'all') (said === 'not' ? excluded : allowed).push(...found.places, ...out)
        if (said === 'not' && isVersion && out.length === 0) read.unknownVersion ??= written
        if (found.isKnown && said !== 'not') version ??= found.version
        read.spans.push(spanOf(sentence, place))
      }
    }
    // `From the wiki if it is about X, from the guide otherwise`
    const other = annotated.find((item) => has(item, 'otherwise'))
    if (other && allowed.length > 1) read.preference ??= textOf(prompt, [other])
    read.stray ??= strayName(annotated, read.spans, prompt)
    const parts = openParts(annotated, read.spans)
    const isNamed = ({ glob, meaning }: Item) =>
      glob !== null || ASIDE.test(meaning.part?.key ?? '') || MENTIONED.test(meaning.part?.key ?? '')
    const path = annotated.find((item) => isNamed(item) && isIn(parts, item))
    if (path) read.unread ??= path.text
    read.open.push(...parts)
  }
  return { ...read, filters: filtersOf(allowed, excluded, version) }
}

/** The pages with a version in their address, to leave them out: a plan has no filter for all other versions. */
function pagesOfVersion(version: string, { places }: Content): PlanPlace[] {
  const globs = [`*/v${version}/*`, `*/${version}/*`]
  return globs.filter((glob) => places?.has(glob) ?? true).map((path) => ({ path }))
}

/** True for `only if it has nothing, X` and `X only if …`. */
function isConditional(sentence: readonly Item[], { from, to }: Place): boolean {
  const isIf = (item: Item, at: number) => has(item, 'when') && IF.test(item.key) && has(sentence[at - 1], 'only')
  return sentence.some((item, at) => at >= from && at <= to && isIf(item, at))
}

const textOf = (prompt: string, items: readonly Item[]) => prompt.slice(items[0]?.start ?? 0, items.at(-1)?.end ?? 0)

/** From the first to the last word that says how to use a place. */
function spanOf(sentence: readonly Item[], { phrase, from, to }: Place): Span {
  const before = sentence.slice(from, phrase.from)
  const isMark = (item: Item) => has(item, ...MARKS)
  const first = before.findIndex(isMark)
  const start = first < 0 ? before.findLastIndex((item) => has(item, 'in', 'for')) : first
  const after = sentence.slice(phrase.to, to).findLastIndex(isMark)
  return {
    start: sentence[start < 0 ? phrase.from : from + start]?.start ?? 0,
    end: sentence[phrase.to + after]?.end ?? 0,
  }
}

const isIn = (spans: readonly Span[], { start, end }: Item) =>
  spans.some((span) => span.start <= start && end <= span.end)

/** The names of a sentence. One that is only listed has what is said about the name before it. */
function placesIn(sentence: readonly Item[], content: Content): Place[] {
  const phrases = phrasesIn(sentence, content)
  const read: Place[] = []
  for (const [at, phrase] of phrases.entries()) {
    const last = read.at(-1)
    const between = sentence.slice(last?.phrase.to ?? 0, phrase.from)
    const isListed =
      last !== undefined &&
      between.some((item) => isJoint(item) || has(item, 'or')) &&
      between.every((item) => isJoint(item) || has(item, 'or', 'article', 'filler', 'in'))
    const own = around(sentence, phrase, phrases[at - 1]?.to ?? 0, phrases[at + 1]?.from)
    const said = saidOf(sentence, phrase, own)
    read.push({ phrase, ...own, isListed, said: said === 'mention' && isListed ? last.said : said })
    // `from the guides and the wiki only`
    if (isListed && last.said === 'mention' && (said === 'only' || said === 'not')) last.said = said
  }
  return read
}

/** The noun phrases that can name a place: `pages of the guides` is one, if it names some. `A guide` is none. */
function phrasesIn(sentence: readonly Item[], { sources, places }: Content): Phrase[] {
  const named = { sources, ownSource: null, places }
  const linked: Phrase[] = []
  for (const phrase of readPhrases(sentence, named)) {
    const last = linked.at(-1)
    const isFree =
      last === undefined ||
      INDEFINITE.test(sentence[phrase.from - 1]?.key ?? '') ||
      isThing(sentence.slice(last.from, last.to))
    const [joined, ...more] = isFree ? [] : linkPhrases(sentence, [last, phrase], named)
    if (joined && more.length === 0 && typeof joined.resolved === 'object' && joined.resolved !== null)
      linked[linked.length - 1] = joined
    else linked.push(phrase)
  }
  return linked.flatMap((phrase) => {
    const { from, to, resolved } = phrase
    const isName = (item: Item) => isUnread(item) || !has(item, 'generic', 'section', 'results', 'in', 'filler')
    const first = sentence.slice(from, to).findIndex(isName)
    return first < 0 || typeof resolved === 'string' ? [] : { ...phrase, from: from + first }
  })
}

/** True for `the abbreviations` of `the abbreviations in the handbook`: what a tool can list is no page of it. */
function isThing(items: readonly Item[]): boolean {
  const things = readSentences(items.map(({ text }) => text).join(' ')).flat()
  return things.some((item) => thingOf(item, 'many') !== null && thingOf(item) !== 'page')
}

/** The words beside a name that can say how to use it, up to a comma, a conjunction or another name. */
function around(
  sentence: readonly Item[],
  phrase: Phrase,
  start: number,
  next: number | undefined,
): { from: number; to: number } {
  const before = sentence.slice(start, phrase.from).findLastIndex((item) => item.isComma || has(item, 'and', 'but'))
  const rest = sentence.slice(phrase.to, next)
  const joint = next === undefined && isOther(rest) ? -1 : rest.findIndex(isJoint)
  return { from: start + before + 1, to: joint < 0 ? phrase.to + rest.length : phrase.to + joint }
}

/** `…, no other source`, `and nothing else` */
const isOther = (rest: readonly Item[]): boolean =>
  has(
    rest.find((item) => !isJoint(item) && !has(item, 'in')),
    'other',
    'only',
  )

function saidOf(sentence: readonly Item[], phrase: Phrase, { from, to }: { from: number; to: number }): Said {
  // `before going live` is a time.
  const before = sentence.slice(0, phrase.from).findLast((item) => !has(item, 'article'))
  if (phrase.flipped) return TIME.test(before?.key ?? '') ? 'mention' : 'not'
  // `If the manual has nothing, …`
  if (sentence.slice(from, phrase.from).some((item) => has(item, 'when') && IF.test(item.key))) return 'mention'
  // `borg create excludes files`: what follows is what the name does.
  const after = sentence.slice(phrase.to, to)
  const rest = after.slice(after.findIndex((item) => has(item, 'exclude', 'not')) + 1)
  const isFollowed = (sentence[to] !== undefined && !isJoint(sentence[to])) || rest.some((item) => has(item, 'generic'))
  // `Rooms except the rules`: what follows is left out.
  const isExcept = has(after[0], 'except') && after[0]?.language !== 'ja'
  const isVerb = isExcept || (isFollowed && rest.length < after.length && !after.some((item) => has(item, 'only')))
  const items = sentence.slice(from, isVerb ? phrase.to : to)
  const names = new Set(sentence.slice(phrase.from, phrase.to))
  const words = items.filter((item, at) => !names.has(item) && !isPlace(items, at))
  const any = (...tags: Parameters<typeof has>[1][]) => words.some((item) => has(item, ...tags))
  if (any('not') && any('only')) return 'all'
  const strength = readStrength(items, names)?.strength
  if (any('up', 'down', 'last') && !any('only')) return 'prefer'
  if (strength === undefined) return 'mention'
  if (strength.only || strength.weight === 0) return strength.only ? 'only' : 'not'
  if (any('exclude')) return 'all'
  // `Search the wiki`, unlike `terms used`
  const verbs = words.filter((item) => item.start < (sentence[phrase.from]?.start ?? 0))
  // `Examples that use physics` describes them.
  const isRelative = (item: Item) => RELATIVE.test(sentence[sentence.indexOf(item) - 1]?.key ?? '')
  const isUse = (item: Item) => has(item, 'use') && SEARCHES.test(item.key) && !isRelative(item)
  return verbs.some(isUse) ? 'use' : 'mention'
}

/** True for a restriction to what no page has. `Only in plain words` need not name a place, unlike `only from`. */
function isStrict(sentence: readonly Item[], { phrase, said, from }: Place): boolean {
  const before = sentence.slice(from, phrase.from)
  const last = before.findLast((item) => !has(item, 'article'))
  const isFrom = FROM.test(last?.key ?? '')
  const isPages = PAGES.test(sentence[phrase.to - 1]?.key ?? '') && has(before.at(-1), 'article')
  // `Just the shell commands` is the form.
  const words = readSentences(
    sentence
      .slice(phrase.from, phrase.to)
      .map(({ text }) => text)
      .join(' '),
  ).flat()
  const isForm = words.some((item) => has(item, 'form', 'detail') || taskOf(item).length > 0)
  // `Answer with the days only`
  const isWith = /\bwith$/.test(last?.key ?? '')
  const isUse = has(last, 'use', 'exclude', 'except', 'only') && has(before.at(-1), 'article') && !isForm && !isWith
  if (said === 'only' || said === 'not') return isFrom || isUse || before.some((item) => has(item, 'except'))
  return said === 'mention' && isFrom && isPages
}

/** True for a mention that restricts: one source, a part of a site, a path, or a kind that is rarely a topic. */
function isRestricting(sentence: readonly Item[], { phrase }: Place): boolean {
  const { from, to, resolved } = phrase
  const items = sentence.slice(from, to)
  const isPages = PAGES.test(items.at(-1)?.key ?? '')
  const mark = sentence.slice(0, from).findLast((item) => !has(item, 'article') || has(item, 'in', 'for'))
  const isMarked = has(mark, 'in', 'for') || FROM.test(mark?.key ?? '')
  if (!isMarked || resolved === null || typeof resolved === 'string') return false
  const isDefinite = has(sentence[from - 1], 'article', 'in') || sentence[from - 1] === mark
  const part = items.find(({ meaning }) => meaning.part)?.meaning.part
  if (resolved.found.some(({ of }) => of === 'source'))
    return isDefinite || items.some(({ isQuoted, key }) => isQuoted || key.includes(' ')) || items.some(isKind)
  if (part !== undefined) return ASIDE.test(part.key) || MENTIONED.test(part.key) || (isDefinite && isPages)
  if (resolved.found.some(isInSite))
    return isPages || items.some(({ glob, meaning }) => glob !== null || meaning.language !== undefined)
  return (
    isDefinite && resolved.found.some((found) => found.of === 'kind' && (found.type === 'pdf' || found.type === 'repo'))
  )
}

const isKind = ({ meaning }: Item): boolean => meaning.kind !== undefined

/** A path or folder, unlike the name of a file. */
const isInSite = (found: Found): boolean =>
  found.of === 'path' && (found.glob.startsWith('/') || (found.glob.startsWith('*/') && found.glob.endsWith('/*')))

const INDEFINITE = /^(?:an?|any|some|ein|eine|einer|einem|einen|un|une|una|um|uma|uno|one|each|every)$/

/** Parts between commas with a word that restricts something, without a restriction that was read, or a condition. */
function openParts(items: readonly Item[], spans: readonly Span[]): Span[] {
  return items.flatMap((item, at) => {
    if (!has(item, 'not', 'only', 'except', 'exclude', 'unless')) return []
    // `a daemon that does not start`
    if (has(item, 'not') && items.slice(Math.max(0, at - 2), at).some(({ key }) => RELATIVE.test(key))) return []
    const from = items.slice(0, at).findLastIndex(({ isComma }) => isComma) + 1
    const to = items.findIndex(({ isComma }, index) => isComma && index > at)
    const part = items.slice(from, to < 0 ? undefined : to)
    const [start, end] = [part[0]?.start ?? 0, part.at(-1)?.end ?? 0]
    const isRead = spans.some((span) => span.start < end && start < span.end)
    const first = part.find((one) => !has(one, 'filler', 'and', 'but', 'polite'))
    // `Just the command` is the form, `from the limits page only` is not. `Added or removed` leaves nothing out.
    const isPlaced = !has(item, 'only') || part.some((one) => has(one, 'in', 'use') && one !== item)
    const isAsked = !has(item, 'exclude') || has(item, 'not') || item === first
    // `for a phrase in page titles only` begins at `in`, `look up X but nothing about Y` at its negation.
    const mark = part.indexOf(item)
    const isLast = mark === part.length - 1
    const own = isLast ? part.slice(0, mark).findLast((one) => has(one, 'in', 'use') || one.key === 'with') : item
    const isOpen = !isRead && !part.some((one) => has(one, 'when')) && isPlaced && isAsked
    return isOpen ? { start: own?.start ?? start, end } : []
  })
}

/** The name of a source near a negation or the like that restricts nothing, as written, or null. */
function strayName(items: readonly Item[], spans: readonly Span[], prompt: string): string | null {
  const stray = items.find((item, at) => {
    const before = items.slice(Math.max(0, at - NEAR), at)
    const from = before.findLastIndex(({ isComma }) => isComma) + 1
    const isMarked = before.slice(from).some((one) => has(one, 'not', 'only', 'except', 'exclude'))
    return item.sources.length > 0 && !isIn(spans, item) && isMarked
  })
  return stray === undefined ? null : textOf(prompt, [stray])
}
