import { has, type Item, numberOf } from '#grammar/item.ts'
import type { Task } from '#grammar/lexicon.ts'
import { codeOf, isPlain, taskOf, thingOf } from './read-words.ts'

/** The purpose of a tool. `look_up`: one thing by its name. `explain`: a question that the request itself asks. */
export type Purpose =
  | Exclude<Task, 'latest' | 'between' | 'since' | 'version' | 'when'>
  | 'list'
  | 'look_up'
  | 'explain'

/** Tasks that decide about the purpose wherever they are, in this order. */
const STRONG = ['issues', 'checklist', 'compare', 'changes', 'schema', 'summary', 'steps'] as const

export type Span = { start: number; end: number }

/** `how to secure a broker`, up to a comma or the end. Null without one, or if it is about any task: `how to do a task`. */
export function questionSpan(sentence: readonly Item[]): Span | null {
  const at = sentence.findIndex((piece) => has(piece, 'howto'))
  const [first, ...after] = at < 0 ? [] : sentence.slice(at)
  if (first === undefined || has(after[0], 'detail') || has(first, 'detail')) return null
  const stop = after.findIndex((piece) => piece.isComma || has(piece, 'task steps'))
  const inside = stop < 0 ? after : after.slice(0, stop)
  const isWord = (piece: Item) => isPlain(piece) || has(piece, 'elsewhere', 'action', 'make')
  const isFixed = inside.some(isWord) && !inside.some((piece) => has(piece, 'something'))
  return isFixed ? { start: first.start, end: inside.at(-1)?.end ?? first.end } : null
}

export function outside(sentence: readonly Item[], { start, end }: Span): Item[] {
  return sentence.filter((piece) => piece.end <= start || piece.start >= end)
}

export function purposeOf(whole: readonly Item[], span: Span | null): Purpose | null {
  const sentence = span === null ? whole : outside(whole, span)
  const tasks = new Set(sentence.flatMap(taskOf))
  const things = sentence.filter((piece) => thingOf(piece) !== null)
  const named = things.filter((piece) => thingOf(piece) !== 'page')
  // `Say what a variable changes` is about no release.
  const isOfReleases =
    (tasks.has('changes') &&
      !sentence.some((piece, at) => piece.key === 'changes' && has(sentence[at - 1], 'filler') && named.length > 0)) ||
    tasks.has('since') ||
    tasks.has('between') ||
    (tasks.has('latest') && named.length === 0)
  const opening = sentence.find((piece) => thingOf(piece) !== null || taskOf(piece).some((task) => task !== 'version'))
  if (has(opening, 'task answer') && things.length === 0) return 'answer'
  // `Which pages mention a word?`
  if (has(opening, 'task pages') && PAGES.test(opening?.key ?? '')) return 'pages'
  // `Write a guide to a task`
  if (sentence.some((piece, at) => has(piece, 'make') && isGuide(sentence.slice(at + 1, at + 1 + NEAR)))) return 'steps'
  const strong = STRONG.find((task) => (task === 'changes' ? isOfReleases || isWhen(sentence) : tasks.has(task)))
  if (strong !== undefined) return strong
  const isQuestion = sentence.some(
    (piece) => has(piece, 'something') && /question|frage|pregunt|pergunt|domand|问题|質問/.test(piece.key),
  )
  if (tasks.has('answer') && (isQuestion || things.length === 0)) return 'answer'
  if (span !== null && named.length === 0) return 'explain'
  const first = sentence.find((piece) => has(piece, 'task examples') || thingOf(piece) !== null)
  const isExample = has(first, 'task examples') && (!has(first, 'detail') || named.length === 0)
  const isText = sentence.some((piece) => has(piece, 'something') && !ANYTHING.test(piece.key))
  const isCode = sentence.some((piece) => codeOf(piece) !== undefined) && isText && named.length === 0
  if (isExample || isCode || (tasks.has('examples') && things.length === 0)) return 'examples'
  if (isList(sentence)) return 'list'
  if (sentence.some((piece, at) => numberOf(piece) === 2 && thingOf(sentence[at + 1], 'many'))) return 'compare'
  if (named.length > 0) return 'look_up'
  // `Translate a page into German`: of the page itself, its sentences are what the assistant gets.
  if (things.length > 0 && sentence.some(({ key }) => REWORDS.test(key))) return 'summary'
  if (tasks.has('pages') || things.length > 0) return 'pages'
  if (sentence.some((piece) => has(piece, 'howto'))) return 'steps'
  // A noun that no vocabulary has: `what a PRAGMA does`
  if (!isText && sentence.some((piece, at) => has(piece, 'a') && isPlain(sentence[at + 1]))) return 'look_up'
  if (!isText) return sentence.some((piece) => has(piece, 'given')) && hasNoun(sentence) ? 'pages' : null
  return sentence.some(({ key }) => SEARCHES.test(key)) ? 'pages' : 'answer'
}

const isGuide = (items: readonly Item[]): boolean => has(items[0], 'a') && items.some(({ key }) => GUIDE.test(key))

const GUIDE = /^(?:guide|anleitung|leitfaden|guia|guida)$/

function hasNoun(sentence: readonly Item[]): boolean {
  return sentence.some((piece, at) => has(piece, 'a', 'the') && isPlain(sentence[at + 1]))
}

const ANYTHING = /^(?:something|anything|etwas|quelque chose|algo|qualcosa|某事)$/
const REWORDS = /^(?:translat|rephras|reword|simplif|ubersetz|tradu|翻译|翻訳)/
const PAGES = /pages?$|seiten?$|pagin|页面|ページ/
const SEARCHES =
  /^(?:search|find|such|finde|durchsuch|cherch|recherch|trouv|busc|encuentr|encontr|procur|pesquis|trov|cerc|查找|搜索|検索|探)/

/** `In which release was an option added?` */
export function isWhen(sentence: readonly Item[]): boolean {
  return (
    sentence.some((piece) => has(piece, 'task when')) &&
    sentence.some((piece) => has(piece, 'task version', 'task changes', 'task when'))
  )
}

/** Pieces between `all` or `list` and the thing. */
const NEAR = 4

function isAll(sentence: readonly Item[], thing: Item): boolean {
  const at = sentence.indexOf(thing)
  const isDense = /[\u3041-\u9fff]/.test(thing.key)
  return isDense
    ? sentence.some((piece) => has(piece, 'all', 'list'))
    : sentence.slice(Math.max(0, at - NEAR), at).some((piece) => has(piece, 'all'))
}

/** The thing to list: the one directly after `all`, else the first in the plural. */
export function listedThing(sentence: readonly Item[]): Item | undefined {
  const things = sentence.filter((piece) => thingOf(piece) !== null)
  const behind = (role: 'all' | 'list') =>
    things.find((piece) => {
      const at = sentence.indexOf(piece)
      const mark = sentence.slice(0, at).findLastIndex((each) => has(each, role))
      return mark >= 0 && at - mark <= NEAR && !sentence.slice(mark, at).some((each) => thingOf(each) !== null)
    })
  const [ofAll, ofList] = [behind('all'), behind('list')]
  // `the options common to all commands` are options.
  const isBefore = thingOf(ofList, 'many') !== null && (ofList?.start ?? 0) < (ofAll?.start ?? 0)
  const after = isBefore ? ofList : (ofAll ?? ofList)
  const many = things.find((piece) => thingOf(piece, 'many') !== null)
  return after !== undefined && (isDenseKey(after.key) || thingOf(after, 'many') !== null || many === undefined)
    ? after
    : (many ?? things.at(-1))
}

const isDenseKey = (key: string) => /[\u3041-\u9fff]/.test(key)

/** True if the sentence asks for all of some things: `every option of a command`, `list the settings about retries`. */
function isList(sentence: readonly Item[]): boolean {
  const isCore = (piece: Item) => thingOf(piece) !== null || taskOf(piece).length > 0
  return sentence.some((piece, at) => {
    if (thingOf(piece) === null) return false
    if (isAll(sentence, piece)) return thingOf(piece, 'many') !== null || isDenseKey(piece.key) || isEach(sentence, at)
    if (thingOf(piece, 'many') === null) return false
    const before = sentence.slice(0, at)
    const near = before.slice(-NEAR)
    const mark = near.findLastIndex((each) => has(each, 'list'))
    const isListed = mark >= 0 && !near.slice(mark + 1).some((each) => thingOf(each) !== null || each.isComma)
    return isListed || (!before.some(isCore) && has(sentence[at + 1], 'about', 'of', 'which'))
  })
}

/** `every option` is all of them, and `each error code` too. */
function isEach(sentence: readonly Item[], at: number): boolean {
  return sentence
    .slice(Math.max(0, at - 2), at)
    .some((piece) => /^(?:every|each|jede[nrs]?|chaque|cada|ogni)\b/.test(piece.key))
}
