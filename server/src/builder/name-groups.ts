import { has, isName, isUnread, type Item } from '#grammar/item.ts'
import { isBetween, isOnlyAfter, type Polarity, readPolarity } from './read-polarity.ts'

export type Span = { start: number; end: number }

/** Names behind a mark such as `only` or `in`. */
type Group = { items: Item[]; span: Span; polarity: Polarity; isStrict: boolean }

/** A path or folder, unlike the name of a file. */
export const isInSite = (glob: string | null) =>
  glob !== null && (glob.startsWith('/') || (glob.startsWith('*/') && glob.endsWith('/*')))

/** Parts of sites that are never only a topic, and those that a mention with `in` restricts to. */
export const ASIDE = /^(?:blog|legacy|archive|forum|news|announcements|vendor|marketing|roadmap|pricing|cookbook)$/
const MENTIONED = /^(?:guide|faq|glossary|tutorial|troubleshooting)$/

/** Words between `only` and a name. */
const LINK =
  /^(?:with|what|whatever|that|which|by|based|according|according to|content|contents|text|von|mit|was|avec|ce que|lo que|o que|con|com|cio che)$/
/** Verbs whose object is a place: `search the wiki for a topic`. */
const SEARCHES =
  /^(?:cite|cites|quote|search|searching|use|uses|using|consult|query|ask|look|draw|rely|read|answers? (?:questions )?(?:from|in|with|using)|durchsuche|benutze|nutze|verwende|utilise|consulte|usa|consulta|cerca)\b/
/** `the config page` */
const PAGE = / (?:pages?|section|seiten?|paginas?)$/
const DEFINITE =
  /^(?:the|der|die|das|dem|den|des|le|la|les|l'|du|el|los|las|del|o|a|os|as|do|da|no|na|il|lo|gli|i|della|dello|nel|nella|our|unser|unserem)$/
export const INDEFINITE = /^(?:a|an|any|some|ein|eine|einer|einem|einen|un|une|una|um|uma|uno|one|each|every)$/
/** `never from the newsletter` names a place, `never of one` none. */
const FROM = /(?:^| )(?:from|aus|vom|depuis|desde|dal|dalla|dai|から)$/
/** `only in plain words` need not name a place, unlike `only from`. */
const LOOSE = /^(?:in|en|auf|dans|with|mit|con|com|avec)$/

/** The names that a mark at an index introduces: `only from the guides and the wiki`, `in the changelog`. Null without any. */
export function groupAt(sentence: readonly Item[], at: number): Group | null {
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
    if (!isLink && !isBetween(item)) break
    if (isLink) link ??= item
    if (INDEFINITE.test(item.key)) return null
    from++
  }
  const to = endOfNames(sentence, from)
  const items = sentence.slice(from, to)
  const [first] = items
  if (first === undefined || INDEFINITE.test(first.key) || first.isComma) return null
  const isVersion = items.some((item, index) => has(item, 'version') && /^\d+$/.test(items[index + 1]?.key ?? ''))
  // `from the usage pages`
  const isPages =
    items.length > 1 && items.some(isUnread) && PAGES.test(items.at(-1)?.key ?? '') && isDefiniteBefore(sentence, from)
  const isNamed =
    isVersion || isPages || items.some((item) => isName(item) || item.version !== null || has(item, 'latest'))
  // `in the queue` is a restriction only if it names something of the content.
  const said = readPolarity(sentence, { from, to })
  const isUsed = SEARCHES.test(sentence[at - 1]?.key ?? '') && said.polarity === 'only'
  if (!isNamed && !(isMarked && (link !== undefined || said.isExcept || isUsed))) return null
  const isSaid = isMarked || said.polarity !== 'mention' || (isPages && FROM.test(link?.key ?? ''))
  if (!isSaid && !isVersion && !items.some((item, index) => isPlace(item, sentence[from + index - 1], items)))
    return null
  const isLoose = link === undefined || has(link, 'use', 'cited') || LOOSE.test(link.key)
  const isStrict = !isSaid || said.isExcept || (!isLoose && (said.polarity === 'only' || FROM.test(link?.key ?? '')))
  // `answer from` is also what the tool does.
  const own = has(mark, 'use') && mark.key.startsWith('answer') ? from : at
  return { items, span: spanOf(sentence, Math.min(own, said.from), said.to), polarity: said.polarity, isStrict }
}

/** `the usage pages` are some of the content, `pages` need not be. */
const PAGES = /^(?:pages?|section|sections|chapter|chapters|folder)$/

const isDefiniteBefore = (sentence: readonly Item[], at: number): boolean => DEFINITE.test(sentence[at - 1]?.key ?? '')

/** Names with what says how to use them behind them: `The FAQ is the only source`. */
function bareGroup(sentence: readonly Item[], at: number): Group | null {
  // `the debugging readme`
  const from = sentence.slice(0, at).findLastIndex((item) => !isUnread(item)) + 1
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
  // `from Postfix docs`
  const isOfKind = group[group.indexOf(item) + 1]?.meaning.kind !== undefined
  if (sources.length === 1) return key.includes(' ') || isQuoted || isAlone || isOfKind
  if (meaning.part !== undefined)
    return ASIDE.test(meaning.part.key) || MENTIONED.test(meaning.part.key) || (isDefinite && PAGE.test(key))
  return (
    isDefinite && (meaning.kind === 'pdf' || meaning.kind === 'repo' || (meaning.language !== undefined && isAlone))
  )
}

const ABOUT = /^(?:about|regarding|concerning|on|uber|sobre|su|sull')$/

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
    if (end > from && (isOnlyAfter(sentence, at) || ABOUT.test(item.key))) break
    const isInside =
      isName(item) ||
      item.version !== null ||
      item.unknown ||
      item.isQuoted ||
      isUnread(item) ||
      /^\d+$/.test(item.key) ||
      item.meaning.language !== undefined ||
      has(item, 'filler', 'article', 'describes', 'in', 'generic', 'folder', 'section') ||
      has(item, 'version', 'latest', 'old', 'other')
    // `in the glossary in one sentence`: what follows is no name.
    // `in section 5` is a part of the name, which must be found.
    const next = sentence.slice(at + 1, at + 4)
    const isOver =
      end > from && has(item, 'in') && !isName(item) && !next.some((each) => isName(each) || has(each, 'section'))
    const isMark = has(item, 'not', 'but', 'only', 'exclude', 'except', 'when', 'answer') && !isName(item)
    if (isOver || !isInside || isMark) break
    end = at + 1
  }
  return end
}
