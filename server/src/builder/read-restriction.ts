import type { PlanPlace, PlanStep } from '@docent/contract/values/custom-tool-plan'
import { annotate } from '#grammar/annotate.ts'
import { has, type Item } from '#grammar/item.ts'
import { sourceNames } from '#grammar/source-names.ts'
import { ASIDE, groupAt, INDEFINITE, isInSite, type Span } from './name-groups.ts'
import { requestLexicons } from './request-lexicons.ts'
import { type Content, filtersOf, placesOf, withFolders, withoutProduct } from './resolve-places.ts'

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
  /** True for a negation, a condition or the like that restricts no place: only the assistant can follow it. */
  isOpen: boolean
  /** Parts of the sentence with a negation, `only` or the like that restricts no place. */
  open: Span[]
}

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
    isOpen: false,
    open: [],
  }
  const allowed: PlanPlace[] = []
  const excluded: PlanPlace[] = []
  let version: string | undefined
  for (const annotated of annotate(prompt, { lexicon: requestLexicons(), names: sourceNames(content.sources) })) {
    // `the Postfix docs` are a source, `a Postfix parameter` is none.
    const isSource = (item: Item | undefined) => item?.meaning.kind !== undefined
    const plain = annotated.map((item, at) =>
      isSource(annotated[at + 1]) ? item : withoutProduct(item, content.sources),
    )
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
    read.stray ??= strayPlace(sentence, read.spans, prompt) ?? strayName(annotated, read.spans, prompt)
    read.open.push(...openParts(annotated, read.spans))
    read.isOpen ||= annotated.some((item) => has(item, ...OPEN) && !isIn(read.spans, item))
  }
  return { ...read, filters: filtersOf(allowed, excluded, version) }
}

/** Roles of words that change what is meant. */
const OPEN = ['not', 'only', 'except', 'exclude', 'unless', 'when', 'at_most'] as const
/** Words between such a word and a name: `no en el de rsyslog`. */
const NEAR = 4

const RELATIVE = /^(?:that|which|who|whose|qui|que|che)$/

const isIn = (spans: readonly Span[], { start, end }: Item) =>
  spans.some((span) => span.start <= start && end <= span.end)

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
    return isRead || part.some((one) => has(one, 'when')) || !isPlaced || !isAsked ? [] : { start, end }
  })
}

/** The name of a source near a negation or the like that restricts nothing, as written, or null. */
function strayName(items: readonly Item[], spans: readonly Span[], prompt: string): string | null {
  const stray = items.find((item, at) => {
    const before = items.slice(Math.max(0, at - NEAR), at)
    const from = before.findLastIndex(({ isComma }) => isComma) + 1
    return (
      item.sources.length > 0 &&
      !isIn(spans, item) &&
      before.slice(from).some((one) => has(one, 'not', 'only', 'except', 'exclude'))
    )
  })
  return stray === undefined ? null : prompt.slice(stray.start, stray.end)
}

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
