import { MOST_TERMS, type RuleCondition } from '@docent/contract/values/rule-effects'
import { has, isName, isUnread, type Item, numberOf } from './item.ts'
import { withoutJoints } from './clause-words.ts'
import type { Tag } from './lexicon.ts'
import { isDense } from './tokenise.ts'
import type { createTopics } from './topics.ts'

/**
 * `when`: the calls that it means. `untestable`: no question tells whether it is met: when two sources disagree.
 * `unread`: it is not understood.
 */
export type Condition = { when: RuleCondition } | 'untestable' | 'unread'

/** Words that begin or end a condition. */
const MARKS: readonly Tag[] = ['when', 'when_asked', 'when_end', 'unless']
const SMALL: readonly Tag[] = ['not', 'filler', 'for', 'is', 'in', 'must', 'polite', 'noise', 'how']
/** Words without content at the beginning and end of a topic. */
const EDGE: readonly Tag[] = [...MARKS, ...SMALL, 'possessive', 'concord']
/** Words between which a topic is. */
const BREAK: readonly Tag[] = [...MARKS, 'ask']
const UNLESS: Item['meaning'] = { tags: ['unless'] }
/** Words of an effect. A condition has none, or a part of the sentence was read as its topic. */
const EFFECT: readonly Tag[] = ['exclude', 'up', 'only', 'otherwise', 'other', 'at_most', 'then', 'except']
/** From the first to the last letter. Items end at punctuation, so that there is little of it. */
const INSIDE = /[\p{L}\p{N}+#/](?:.*[\p{L}\p{N}+#/])?/su

const EXAMPLE = /^(?:like|such as|for example|e\.g|comme|tel que|zum beispiel|por ejemplo|por exemplo|per esempio)$/

const PRONOUN = /^(?:it|they|it is|they are|it's|they're|these|those|sie|es|ils|elles|estan|sono)$/

const SPOKEN_IN = /^(?:in|auf|en|em)$/
/** `For questions in Welsh`, unlike `for questions in the field of X`. */
const MOST_SPOKEN = 4

type Context = { text: string; topics: ReturnType<typeof createTopics> }

/** Reads `when asked about X or Y`, `for code example searches`, `unless the question is in German`. */
export function readCondition(given: readonly Item[], context: Context): Condition {
  const [first, ...others] = withoutJoints(given)
  if (first === undefined) return 'unread'
  // `Except for X questions` is `unless`, and `people who ask about X` asks for nobody.
  const items = [has(first, 'except') ? { ...first, meaning: UNLESS } : first, ...others].filter(
    (item, at, all) => item.key !== 'who' || !has(all[at - 1], 'person'),
  )
  // `An option like --draft`: an example of what no word of the question tells.
  if (items.some(({ key }, at) => EXAMPLE.test(key) && items[at + 1]?.isQuoted === false)) return 'unread'
  // `Only if they are from this year`: about the pages, not the question.
  const isOfPages = has(items[0], 'when', 'unless') && PRONOUN.test(items[1]?.key ?? '')
  if (isOfPages && !items.some((item) => has(item, 'ask', 'when_asked', 'questions') || item.key === 'about'))
    return 'unread'
  // `Questions in Welsh`: a language that nothing detects is no word of the question.
  const isUnspoken = items.some(
    ({ key }, at) =>
      SPOKEN_IN.test(key) && has(items[at - 1], 'questions') && items[at + 1] && isUnread(items[at + 1] as Item),
  )
  if (isUnspoken && items.length <= MOST_SPOKEN) return 'unread'
  const tools = items.filter(({ meaning }) => meaning.tool !== undefined)
  const spoken = languageOf(items)
  // `When a question is very long`: a property that no word of the question tells.
  const isOf = items.some(
    (item, index) => has(item, 'questions') && has(item, 'ask') && isDescribed(items.slice(index + 1)),
  )
  if (isOf) return 'untestable'
  // `Questions that begin with “how do I”`: a condition is met by the words anywhere.
  const position = items.findIndex((item) => !item.isQuoted && has(item, 'position'))
  if (position >= 0 && !items.slice(0, position).some(isHow)) return 'unread'
  // `Answers about X must be brief`
  const must = items.findIndex((item) => has(item, 'must') && !has(item, 'noise', 'ask', 'filler'))
  if (must > 0 && !items.slice(0, must).some(isHow) && items.slice(must).some((item) => has(item, 'manner', 'refuse')))
    return 'unread'
  const isAsked =
    tools.length > 0 ||
    spoken !== null ||
    has(items[0], 'for') ||
    // `…, but not about X`
    has(items[0], 'not') ||
    items.some((item) => has(item, 'ask', 'when_asked', 'questions', 'person', 'when_end'))
  if (
    !isAsked &&
    items.some(
      (item) => has(item, 'cited', 'other', 'audience') || (isName(item) && !item.isQuoted && item.glob === null),
    )
  )
    // Without `if nothing else is found` an effect would be another one.
    return items.some((item) => has(item, 'not')) ? 'unread' : 'untestable'
  if (!isAsked && items.some((item) => has(item, 'not'))) return 'unread'
  const isEffect = (item: Item, index: number) =>
    has(item, ...EFFECT) && (!has(item, 'at_most') || numberOf(items[index + 1]) !== null)
  if (
    items.some(
      (item, index) =>
        !item.isQuoted && isEffect(item, index) && !has(item, 'ask', 'when', 'unless', 'filler', 'noise'),
    )
  )
    return 'unread'
  // `For customers in Germany`, `for the v4 folks`: the question does not say whose it is.
  const told = items.filter((item) => !has(item, 'for', 'filler'))
  const isAudience =
    !has(items[0], ...MARKS) && (has(told[0], 'person', 'audience') || has(told.at(-1), 'person', 'audience'))
  // `For anything technical`: a kind of question, which its words do not tell.
  const isOfKind = items.some(
    ({ key }, index) => /^(?:any|some|every)thing$/.test(key) && isAdjective(items[index + 1]),
  )
  if (isOfKind) return 'unread'
  const names = (...tags: Tag[]) => items.some((item) => !item.isQuoted && has(item, ...tags))
  // `When you are not sure`, `when two results are tied`: about the service, not the question.
  const isAboutService = names('refuse') || (names('results') && !isAsked)
  if ((isAudience || isAboutService) && !names('ask', 'when_asked', 'questions', 'how') && tools.length === 0)
    return 'untestable'
  // `For steps the guides`: the name has a request without a verb.
  const isPlain = has(items[0], 'for') && !names('ask', 'when_asked', 'questions', 'how')
  const hasName = (item: Item, index: number) => index > 2 && has(items[index - 1], 'article') && isName(item)
  if (isPlain && items.some(hasName)) return 'unread'
  const at = spoken === null ? -1 : items.indexOf(spoken)
  const rest = items.filter(
    (item, index) => !tools.includes(item) && item !== spoken && !(isSpeaking(item) && Math.abs(index - at) === 1),
  )
  const terms = termsOf(rest, context)
  if (terms === null) return 'unread'
  // `When the user writes in German`: without a topic, no word of the question is meant.
  const isTopic = items.some((item) => !item.isQuoted && has(item, 'ask', 'when_asked', 'questions', 'for'))
  if (spoken !== null && terms.length > 0 && !isTopic) return 'unread'
  // `Ne … pas` and `non … mai` are one negation.
  const negations = rest.filter((item) => has(item, 'unless', 'not') && !has(item, 'concord')).length
  const isExcept = (negations + (rest.some((item) => has(item, 'not') && has(item, 'concord')) ? 1 : 0)) % 2 === 1
  if (isExcept && (tools.length > 0 || spoken !== null || terms.length === 0)) return 'unread'
  // `For beginners' questions`, unlike `for questions about beginners`
  const edge: readonly Tag[] = names('when_asked') ? EDGE : [...EDGE, 'questions']
  const audience = rest.filter((item) => !has(item, ...edge))
  if (audience.length > 0 && audience.every((item) => has(item, 'audience') || item.isComma || has(item, 'and', 'or')))
    return 'untestable'
  const language = spoken?.meaning.language
  const when: RuleCondition = {
    ...(terms.length === 0 ? {} : isExcept ? { exceptTerms: terms } : { terms }),
    ...(tools.length > 0 ? { tool: [...new Set(tools.flatMap(({ meaning }) => meaning.tool ?? []))] } : {}),
    ...(language === undefined ? {} : { language }),
  }
  return Object.keys(when).length > 0 ? { when } : 'unread'
}

/** The language in which the question is: `in German`, not `about German`. */
function languageOf(items: readonly Item[]): Item | null {
  const at = items.findIndex(({ meaning }) => meaning.language !== undefined)
  const [before, item, after] = [items[at - 1], items[at], items[at + 1]]
  if (item === undefined) return null
  const isAsked =
    has(before, 'in', 'is') ||
    has(after, 'questions', 'when_end') ||
    [before, after].some((beside) => isSpeaking(beside))
  return isAsked || items.length <= 3 ? item : null
}

/** True for `is very long`, unlike `is about X`, `is in German` and `is how long`. */
function isDescribed(after: readonly Item[]): boolean {
  const [first, ...rest] = after.filter((item) => !has(item, 'filler') || has(item, 'is', 'in'))
  if (!has(first, 'is') || has(first, 'ask', 'in')) return false
  // `is not about X`
  if (after.some((item, at) => has(item, 'not') && has(after[at + 1], 'noise') && !has(after[at + 1], 'article')))
    return false
  return !rest.some(
    (item) => isHow(item) || has(item, 'ask', 'in', 'when_asked', 'when_end') || item.meaning.language !== undefined,
  )
}

const isAdjective = (item: Item | undefined): boolean =>
  item !== undefined && isUnread(item) && /^[a-z]{2,}(?:ic|ical|al|ary|ous|ive|able)$/.test(item.key)

/** `how`, or a phrase that begins with it: `how to`. */
const isHow = (item: Item): boolean => has(item, 'how') || item.key.startsWith('how ')

/** Particles beside the language of a question: `auf Deutsch`, `用德语`, `ドイツ語で`. */
const isSpeaking = (item: Item | undefined): boolean => /^(?:auf|en|用|以|で)$/.test(item?.key ?? '')

/** The terms between the words that every condition has, split at `and`, `or` and commas. Null for a topic without words. */
function termsOf(items: readonly Item[], { text, topics }: Context): string[] | null {
  const runs: Item[][] = [[]]
  // Words beside a quotation without a conjunction: `starts with “why”` asks for more than the word.
  const beside = new Set<readonly Item[]>()
  const lastQuestion = items.findLastIndex((item) => has(item, 'questions', 'when_end'))
  const lastAsk = items.findLastIndex((item) => has(item, 'ask', 'when_asked'))
  for (const [index, item] of items.entries()) {
    const run = runs.at(-1)
    const isThing =
      item.isQuoted || item.sources.length > 0 || item.meaning.part || item.meaning.code || item.meaning.kind
    // `someone` who asks, and `questions` after their topic; `problems` can be a topic too.
    const isAsker = has(item, 'person') && index < lastAsk
    const isCloser = has(item, 'questions') && (run?.length !== 0 || index < 2)
    // `answering questions about X`
    const isAnswering = has(item, 'answer', 'command') && run?.length === 0 && index < lastQuestion
    const isJoint = item.isComma || has(item, 'and', 'or') || (has(item, 'concord') && run?.length !== 0)
    if (isJoint) runs.push([])
    else if (item.isQuoted) {
      const after: Item[] = []
      beside.add(run ?? []).add(after)
      runs.push([item], after)
    } else if (!isThing && (has(item, ...BREAK) || isAsker || isCloser || isAnswering))
      runs.push(has(item, 'how') ? [item] : [])
    else run?.push(item)
  }
  const terms: string[] = []
  for (const run of runs) {
    const found = termsOfRun(run, text, topics)
    const isPlain = run.every((item) => has(item, 'generic', 'folder', 'section', ...EDGE))
    // `Asks for a default or a timeout`: a noun that is filler elsewhere.
    const isLost =
      found?.length === 0 && has(run.at(-2), 'article') && has(run.at(-1), 'filler') && !isArticle(run.at(-1))
    if (found === null || isLost || (beside.has(run) && found.length > 0 && !isPlain)) return null
    if (beside.has(run)) continue
    terms.push(...found)
  }
  return [...new Set(terms)].slice(0, MOST_TERMS)
}

const isArticle = (item: Item | undefined): boolean => has(item, 'article', 'person', 'questions', 'polite')

/** One topic: in everyday words if it has some, and as written. Null if it asks how without a word of the question. */
function termsOfRun(run: readonly Item[], text: string, topics: Context['topics']): string[] | null {
  // Endings without spaces can be a part of a word that no vocabulary has.
  const edge = isDense(run[0]?.text ?? '') ? EDGE.filter((tag) => tag !== 'filler') : EDGE
  const isEdge = (item: Item) =>
    !item.isQuoted && !isName(item) && item.meaning.code === undefined && has(item, ...edge)
  const language = run[0]?.language ?? 'en'
  const isThing = (item: Item) => isName(item) || item.isQuoted
  const plain = run.filter((item) => isThing(item) || !has(item, 'noise', 'filler', 'is', 'must'))
  const close = run.filter((item) => isThing(item) || has(item, 'in') || !has(item, 'noise', 'filler', 'is', 'must'))
  const space = language === 'ja' || language === 'zh' ? '' : ' '
  const wordsOf = (items: readonly Item[]) => items.map(({ text: word }) => word).join(space)
  const how = plain.findIndex((item) => has(item, 'how'))
  // `someone installing something`
  const isContent = (item: Item) => !isEdge(item) && !has(item, 'person')
  const hasContent = run.some(isContent)
  const from = run.findIndex((item) => (hasContent ? isContent(item) : !isEdge(item)))
  // `nur bei Fragen zum Dienstplan verwenden`: a verb of the request ends its sentence.
  const isVerb = (item: Item, index: number) => language === 'de' && index > 0 && has(item, 'use') && !isName(item)
  const to = run.findLastIndex((item, index) => !isEdge(item) && !isVerb(item, index))
  const whole = from < 0 ? '' : text.slice(run[from]?.start, run[to]?.end)
  const spelled = INSIDE.exec(whole.toLowerCase())?.[0] ?? ''
  const spoken = run.some(isHow)
  // `how to configure a worker`: the words of the action.
  const written =
    spoken && close.length < run.length
      ? wordsOf(close.filter((item) => !has(item, 'how', 'in'))).toLowerCase()
      : spelled
  if (spoken) {
    // `how large something can be`, `how much it costs`, `how to turn something on`
    const [before, action] = [plain.slice(0, Math.max(0, how)), plain.slice(how + 1)]
    // A measure such as `how large` is a topic of its own, which an action cannot replace.
    const measure = how < 0 ? null : topics.expand(plain[how]?.text ?? '', language)
    const isMeasure = measure !== null && String(measure) !== String(topics.expand(wordsOf(action), language))
    const after = run.slice(run.findLastIndex(isHow) + 1)
    const actions = isMeasure || before.length > 0 ? [] : [after, action, close.filter((item) => !has(item, 'how'))]
    const forms = [plain, close, ...actions]
    const everyday = forms.map((form) => topics.expand(wordsOf(form), language)).find((each) => each !== null)
    if (everyday) return everyday
    // `how long visiting hours are`: the thing that is measured.
    const measured = isMeasure ? close.filter((item) => !has(item, 'how')) : []
    const isThingOnly = measured.length > 0 && measured.every((item) => isUnread(item) || isThing(item))
    if (isThingOnly) return [wordsOf(measured).toLowerCase()]
    return written === '' || isMeasure ? null : [written]
  }
  if (written === '') return []
  // `IT problems`: every question has this word.
  if (spelled === 'it') return null
  // `unless an older one is named`
  const content = run.filter(isContent)
  if (
    content.some((item) => has(item, 'old', 'recent')) &&
    content.every((item) => has(item, 'old', 'recent', 'generic'))
  )
    return null
  return [...new Set([written, ...(topics.expand(written, language) ?? topics.expand(wordsOf(plain), language) ?? [])])]
}
