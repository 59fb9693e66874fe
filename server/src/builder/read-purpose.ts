import { has, type Item, numberOf } from '#grammar/item.ts'
import type { Task } from '#grammar/lexicon.ts'
import { codeOf, isContent, isDenseWord, isPlain, partOf, type Span, taskOf, thingOf } from './read-words.ts'

/** The purpose of a tool. `look_up`: one thing by its name. `explain`: a question that the request itself asks. */
export type Purpose =
  | Exclude<Task, 'latest' | 'between' | 'since' | 'from' | 'version' | 'when'>
  | 'list'
  | 'look_up'
  | 'explain'

/** A sentence with what the patterns ask about it. `named`: its things without pages. `isOwn`: it asks a question itself. */
type Read = {
  items: readonly Item[]
  tasks: ReadonlySet<Task>
  things: readonly Item[]
  named: readonly Item[]
  opening: Item | undefined
  isText: boolean
  isOwn: boolean
}

const any = ({ items }: Read, test: RegExp) => items.some(({ key }) => test.test(key))
const begins = ({ items }: Read, test: RegExp) =>
  test.test(items.find((item) => !item.isComma && !has(item, 'lead'))?.key ?? '')
const ofTask = (task: Task) => (read: Read) => read.tasks.has(task)

/** The patterns of the purposes. The first that fits counts. */
const PATTERNS: readonly (readonly [Purpose, (read: Read) => boolean])[] = [
  // `What does the API answer when …?`
  ['explain', (read) => begins(read, ASKS) && has(read.opening, 'task answer') && !read.isText],
  ['answer', ({ opening, things }) => has(opening, 'task answer') && things.length === 0],
  ['pages', ({ opening }) => has(opening, 'task pages') && PAGES.test(opening?.key ?? '')],
  ['answer', (read) => begins(read, DRAFTS) && any(read, LETTER)],
  ['issues', ofTask('issues')],
  ['answer', (read) => isPolar(read) && read.isText],
  ['explain', isPolar],
  ['explain', (read) => isAsking(read) && !read.isText && isToldWhat(read)],
  ['answer', isAsking],
  // `The Python and the JavaScript version of an example, next to each other`
  ['examples', ({ items, tasks }) => tasks.has('examples') && items.filter((item) => codeOf(item)).length > 1],
  ['checklist', ofTask('checklist')],
  ['compare', (read) => read.tasks.has('compare') && !isForm(read)],
  ['changes', isOfReleases],
  ['schema', ofTask('schema')],
  ['summary', ofTask('summary')],
  ['explain', isAdvice],
  // `How to do a task in Lua`
  [
    'examples',
    ({ items }) =>
      items.some((item) => codeOf(item)) &&
      (['howto', 'something'] as const).every((role) => items.some((item) => has(item, role))),
  ],
  ['steps', ofTask('steps')],
  ['answer', (read) => read.tasks.has('answer') && (read.things.length === 0 || any(read, QUESTION))],
  ['explain', ({ isOwn, named }) => isOwn && named.length === 0],
  ['examples', isOfCode],
  // `The commands to fail over`
  ['steps', ({ items }) => items.some((item, at) => thingOf(item, 'many') === 'command' && isTo(items.slice(at + 1)))],
  // `The fields of an object`
  ['schema', ({ named }) => thingOf(named[0], 'many') === 'parameter' && thingOf(named[1]) === 'object'],
  ['list', ({ items }) => isList(items)],
  ['compare', ({ items }) => items.some((item, at) => numberOf(item) === 2 && thingOf(items[at + 1], 'many'))],
  // `The field “sku” of an item`: the request names it.
  ['explain', ({ items, named }) => named.length > 0 && items.some(({ isQuoted }) => isQuoted)],
  ['look_up', ({ named }) => named.length > 0],
  // `Say what a chapter is about`
  ['summary', ({ items, things }) => things.length > 0 && items.at(-1)?.key === 'about'],
  // `Translate a page into German`: of the page itself, its sentences are what the assistant gets.
  ['summary', (read) => read.things.length > 0 && any(read, REWORDS)],
  ['pages', ({ tasks, things }) => tasks.has('pages') || things.length > 0],
  ['steps', ({ items }) => items.some((item) => has(item, 'howto'))],
  ['explain', ({ items, isText }) => !isText && questionSpan(items, 'ask') !== null],
  // `What is a wildcard?`, unlike `what a PRAGMA does`.
  [
    'explain',
    ({ items: [what, is, article, noun] }) =>
      what?.key === 'what' && is?.key === 'is' && has(article, 'a') && isPlain(noun),
  ],
  // A noun that no vocabulary has: `what a PRAGMA does`.
  ['look_up', ({ items, isText }) => !isText && items.some((_, at) => isInput(items, at) && isNoun(items[at + 1]))],
  ['pages', ({ items, isText }) => !isText && items.some((item) => has(item, 'given')) && hasNoun(items)],
  ['pages', (read) => read.isText && any(read, SEARCHES)],
  ['answer', ({ isText }) => isText],
  // `What are the limits of X?`
  ['explain', (read) => begins(read, ASKS) && read.items.filter(isContent).length > 1],
  // `Help the staff with printers`, `look up our limits`
  ['answer', (read) => begins(read, HELPS) && read.items.some(isPlain)],
  // `Deprecated things and their replacements`
  ['changes', ({ items }) => items.some((item) => partOf(item).length > 0)],
  // `Who may use it?` The words of another request are searched for, and the assistant follows the request.
  ['explain', (read) => isQuestion(read) && read.items.some(isContent)],
  // `A table with the fees of each group`
  [
    'explain',
    ({ items }) =>
      has(items[0], 'a', 'form') &&
      items.slice(0, 3).some((item) => has(item, 'form')) &&
      items.filter(isPlain).length > 1,
  ],
  ['pages', (read) => begins(read, LOOKS) && read.items.some((item) => isContent(item) || has(item, 'detail'))],
]

/** A question to be answered with yes or no, about no kind of thing: `whether a client supports a feature`. */
function isPolar(read: Read): boolean {
  const [first, next] = read.items
  // `Can this be returned?`, unlike `can you list`
  const isCan =
    POLAR.test(first?.key ?? '') && (has(next, 'the', 'a') || isPlain(next) || DEICTIC.test(next?.key ?? ''))
  return read.named.length === 0 && (isCan || begins(read, POLAR) || any(read, WHETHER))
}
const DEICTIC = /^(?:this|that|i|we|it|they|ich|wir|man)$/
const POLAR = /^(?:do|does|is|are|can|may|must|ist|sind|kann|darf|est-ce que|puede|pode|puo)$/
const WHETHER = /^(?:whether|if a|ob)$/
/** The words with which people ask a question: `a visitor asks about the garden`. */
const ASKED = /^(?:asks?|ask about|asks about|wants? to know|fragt|fragen|demande|pregunta|pergunta|chiede)$/

/** Behind an article `message` is no action. */
const isNoun = (item: Item | undefined): boolean => isPlain(item) || has(item, 'action')

/** `Who may use it?`, `For school groups: which door?` */
function isQuestion({ items }: Read): boolean {
  const at = items.findIndex(({ key }) => ASKS.test(key))
  return at >= 0 && items.slice(0, at).every((item) => item.isComma || isPlain(item) || has(item, 'lead', 'of'))
}

/** `Operators ask about tokens`, unlike `a user asks about a setting`. */
function isAsking({ items, named }: Read): boolean {
  const at = items.findIndex(({ key }) => ASKED.test(key))
  // `They want to know the refund rules` is about those, `they ask about a setting` about any.
  const isAny = (thing: Item) =>
    !WANTS.test(items[at]?.key ?? '') || items.slice(at, items.indexOf(thing)).some((item) => has(item, 'a'))
  return at > 0 && at < MOST_ASKING && !named.some((thing) => items.indexOf(thing) > at && isAny(thing))
}
const WANTS = /^wants? to know$/

/** `They want to know the refund rules` */
const isToldWhat = ({ items }: Read): boolean =>
  items.slice(items.findIndex(({ key }) => WANTS.test(key))).some(isPlain) && items.some(({ key }) => WANTS.test(key))
/** Words of the people who ask, at the start of a request. */
const MOST_ASKING = 4

const PAGES = /pages?$|seiten?$|pagin|页面|ページ/
const QUESTION = /^(?:question|frage|pregunt|pergunt|domand|问题|質問)/
const ANYTHING = /^(?:something|anything|etwas|quelque chose|algo|qualcosa|某事)$/
const REWORDS = /^(?:translat|rephras|reword|simplif|ubersetz|tradu|翻译|翻訳)/
const HELPS = /^(?:helps?|assists?|supports?|hilf|unterstutze|aide|ayuda|ajud[ae]|aiuta)$/
/** `Draft a reply to a complaint`: the assistant writes it from what the tool finds. */
const DRAFTS =
  /^(?:drafts?|writes?|composes?|prepares?|words?|formulates?|suggests?|schreibe|redige|redacta|redige|escreva|scrivi)$/
const LETTER = /^(?:reply|response|letter|note|message|explanation|antwort|reponse|respuesta|resposta|risposta)$/
const BESIDE = /^(?:side|next to|head to head)/
const BETWEEN = /^(?:between|zwischen|entre|tra|fra)\b/
const ASKS =
  /^(?:who|whom|who is|where|when|what's|what|which|what are|how much|how long|wie|wie viel|wieviel|combien|cuanto|quanto|wer|wo|wann|qui|ou|donde|quien|onde|quem|dove|chi|was|welche[rs]?|quel(?:le)?s?|cuales?|qual|quais|quali|que)$/
const LOOKS =
  /^(?:looks? up|finds?|find out|searche?s?|search for|says?|names?|shows?|gets?|gives?|returns?|tells?|fetch|quotes?|cites?|explains?|describes?|covers?|suche|finde|zeige?|erklare?|nenne|sage?|cherche|trouve|montre|explique|dis|busca|muestra|explica|di|encontre|mostre|procure|explique|diga|cerca|mostra|spiega|dimmi|查找|显示|解释|説明)$/
const SEARCHES =
  /^(?:search|find|such|finde|durchsuch|cherch|recherch|trouv|busc|encuentr|encontr|procur|pesquis|trov|cerc|查找|搜索|検索|探)/

export function purposeOf(whole: readonly Item[], span: Span | null): Purpose | null {
  const items = span === null ? whole : outside(whole, span)
  const things = items.filter((item) => thingOf(item) !== null)
  const read: Read = {
    items,
    tasks: new Set(items.flatMap(taskOf)),
    things,
    named: things.filter((item) => thingOf(item) !== 'page'),
    opening: items.find((item) => thingOf(item) !== null || taskOf(item).some((task) => task !== 'version')),
    isText: items.some((item) => has(item, 'something') && !ANYTHING.test(item.key)),
    isOwn: span !== null,
  }
  return PATTERNS.find(([, fits]) => fits(read))?.[0] ?? null
}

/**
 * The question that a sentence itself asks, from its first word to a comma or the end: `how to secure a broker`, `what
 * happens when a backup stops`. Null for one about any thing: `how to do a task`, `what a PRAGMA does`.
 */
export function questionSpan(sentence: readonly Item[], role: 'howto' | 'ask' | 'advise'): Span | null {
  const at = sentence.findIndex((item) => has(item, role))
  const [first, ...after] = at < 0 ? [] : sentence.slice(at)
  if (first === undefined || (role === 'howto' && [first, after[0]].some((item) => has(item, 'detail')))) return null
  const stop = after.findIndex((item) => item.isComma || has(item, 'task steps'))
  const inside = stop < 0 ? after : after.slice(0, stop)
  const words = inside.filter(isContent)
  const article = inside.findIndex((_, index) => isInput(inside, index) && isPlain(inside[index + 1]))
  const isOfAny = article >= 0 && words.every((item) => item === inside[article + 1 + words.indexOf(item)])
  const isFixed = words.length > 0 && !inside.some((item) => has(item, 'something'))
  const isClosed = role === 'howto' ? isFixed : role === 'advise' || (isFixed && words.length > 1 && !isOfAny)
  return isClosed ? { start: first.start, end: inside.at(-1)?.end ?? first.end } : null
}

const WHEN = /^(?:when|if|after|before|once|while|wenn|falls|bevor|quand|si|cuando|quando|se)$/

/** True at an indefinite article, unless it is in a condition: `what to check when a plant arrives`. */
const isInput = (items: readonly Item[], at: number): boolean =>
  has(items[at], 'a') && !(at > 1 && WHEN.test(items[at - 1]?.key ?? ''))

export const outside = (sentence: readonly Item[], { start, end }: Span): Item[] =>
  sentence.filter((item) => item.end <= start || item.start >= end)

const isTo = ([to, verb]: readonly Item[]): boolean => to?.key === 'to' && isPlain(verb)

/** `Our limits in sandbox and live, side by side`: only the form. */
function isForm({ items }: Read): boolean {
  const compared = items.filter((item) => has(item, 'task compare'))
  return (
    compared.every(({ key }) => BESIDE.test(key)) && !items.some((item) => numberOf(item) !== null || has(item, 'a'))
  )
}

/** `Recommend a backend for a workload`, unlike `look up a setting and suggest a value`. */
function isAdvice({ items, isText }: Read): boolean {
  const first = items.find((item) => has(item, 'advise') || thingOf(item) !== null)
  return has(first, 'advise') && (isText || items.some(isContent))
}

/** `Say what a variable changes` is about no release, and `show what it controls and since when it exists` neither. */
function isOfReleases({ items, tasks, named }: Read): boolean {
  const isVerb = items.some((item, at) => item.key === 'changes' && has(items[at - 1], 'filler')) && named.length > 0
  const when = items.findIndex((item) => has(item, 'task when'))
  const isBeside = when > 0 && named.length > 0 && items.slice(0, when).some((item) => has(item, 'which'))
  // `What got fixed in a given version?`
  const isPart = tasks.has('version') && named.length === 0 && items.some((item) => partOf(item).length > 0)
  if (isBetween(items) || isPart) return true
  if (tasks.has('since') || tasks.has('from') || tasks.has('between')) return true
  return (
    (tasks.has('changes') && !isVerb) || (tasks.has('latest') && named.length === 0) || (isWhen(items) && !isBeside)
  )
}

/** `Between two engine versions` */
export const isBetween = (items: readonly Item[]): boolean =>
  items.some(
    ({ key }, at) => BETWEEN.test(key) && items.slice(at + 1, at + 5).some((item) => has(item, 'task version')),
  )

/** `In which release was an option added?` A single word such as `quand` begins the sentence, or has a release beside it. */
export const isWhen = (items: readonly Item[]): boolean =>
  items.some(
    (item, at) =>
      has(item, 'task when') &&
      (at === 0 || !/^\p{L}+$/u.test(item.key) || isDenseWord(item) || items.some(isOfRelease)),
  )

const isOfRelease = (item: Item): boolean => has(item, 'task version', 'task changes')

function isOfCode({ items, tasks, things, named, isText }: Read): boolean {
  const first = items.find((item) => has(item, 'task examples') || thingOf(item) !== null)
  const isExample = has(first, 'task examples') && (!has(first, 'detail') || named.length === 0)
  const isCode = isText && named.length === 0 && items.some((item) => codeOf(item) !== undefined)
  return isExample || isCode || (tasks.has('examples') && things.length === 0)
}

function hasNoun(items: readonly Item[]): boolean {
  return items.some((item, at) => has(item, 'a', 'the') && isPlain(items[at + 1]))
}

/** Pieces between `all` or `list` and the thing. */
const NEAR = 4

/** The last `all` or `list` shortly before a thing, without another thing or a comma between them; else -1. */
function markBefore(items: readonly Item[], thing: Item, role: 'all' | 'list'): number {
  const at = items.indexOf(thing)
  const mark = items.slice(0, at).findLastIndex((item) => has(item, role))
  const isNear = mark >= 0 && at - mark <= NEAR
  return isNear && !items.slice(mark + 1, at).some((item) => thingOf(item) !== null || item.isComma) ? mark : -1
}

/** The thing to list: the one directly after `all` or `list`, else the first in the plural. */
export function listedThing(items: readonly Item[]): Item | undefined {
  const things = items.filter((item) => thingOf(item) !== null)
  const [ofAll, ofList] = (['all', 'list'] as const).map((role) =>
    things.find((item) => markBefore(items, item, role) >= 0),
  )
  // `the options common to all commands` are options.
  const isBefore = thingOf(ofList, 'many') !== null && (ofList?.start ?? 0) < (ofAll?.start ?? 0)
  const after = isBefore ? ofList : (ofAll ?? ofList)
  const many = things.find((item) => thingOf(item, 'many') !== null)
  const isMany = after !== undefined && (isDenseWord(after) || thingOf(after, 'many') !== null)
  return isMany || many === undefined ? (after ?? things.at(-1)) : many
}

/** True if the sentence asks for all of some things: `every option of a command`, `list the settings about retries`. */
function isList(items: readonly Item[]): boolean {
  const isExplained = EXPLAINS.test(items.find((item) => !has(item, 'lead'))?.key ?? '')
  return items.some((item, at) => {
    if (thingOf(item) === null) return false
    const isMany = thingOf(item, 'many') !== null
    if (isDenseWord(item)) return items.some((each) => has(each, 'all', 'list'))
    const all = items.slice(Math.max(0, at - NEAR), at).findLast((each) => has(each, 'all'))
    if (all !== undefined && (isMany || EACH.test(all.key))) return true
    const isFirst = !items.slice(0, at).some((each) => thingOf(each) !== null || taskOf(each).length > 0)
    const isSome = isFirst && !isExplained && has(items[at + 1], 'about', 'of', 'which')
    return isMany && (markBefore(items, item, 'list') >= 0 || isSome)
  })
}

/** `Explain the concepts of X` is about any of them. */
const EXPLAINS = /^(?:explains?|define[sn]?|erklare?|explique|explica|spiega)$/
/** `every option` is all of them, and `each error code` too. */
const EACH = /^(?:every|each|jede[nrs]?|chaque|cada|ogni)\b/
