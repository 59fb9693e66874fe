import { caseInText, countOf, inSentenceCase, SMALL } from './sentence-case.ts'
import verbs from './verbs.json' with { type: 'json' }

/** Bounds of a question in characters. A shorter one says too little, a longer one is not asked in these words. */
const [LEAST, MOST] = [12, 90]

/** A question in a script without spaces is shorter. */
const LEAST_DENSE = 6

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '))
/** Verbs that are no nouns. */
const PLAIN = setOf(verbs.plain)
/** Verbs that before another noun are nouns (`Set operations`), but whose gerund is a verb (`Setting options`). */
const AS_NOUNS = setOf(verbs.asNouns)
export const VERBS: ReadonlySet<string> = new Set([...PLAIN, ...AS_NOUNS, ...verbs.ambiguous.split(' ')])
const DOUBLED = setOf(verbs.doubled)

/** `installing` → `install`, `using` → `use`, `running` → `run`. */
const GERUNDS: ReadonlyMap<string, string> = new Map([...VERBS].map((verb) => [gerundOf(verb), verb]))

function gerundOf(verb: string): string {
  if (DOUBLED.has(verb)) return `${verb}${verb.slice(-1)}ing`
  return /[^e]e$/.test(verb) ? `${verb.slice(0, -1)}ing` : `${verb}ing`
}

/** Where a heading or sentence is: the language of its page, and enough of the page's text to know its words. */
export type Place = { language: string | null; text: string }

const isEnglish = ({ language }: Place): boolean => language === null || language === 'en'

/**
 * A heading as a question that can be asked without its page, or null. Headings in other languages than English are
 * questions already, or none.
 */
export function questionOfHeading(heading: string, place: Place): string | null {
  const text = plainHeading(heading)
  if (!isEnglish(place)) return askedInOther(text)
  if (!BEGINS.test(text) && !isAction(text)) return null
  const sentence = inSentenceCase(text, place.text)
  if (sentence === null) return null
  return bounded(
    text.endsWith('?') || WHOLE.test(text)
      ? askedInEnglish(sentence)
      : (howTo(sentence, place.text) ?? ofQuestionWord(sentence)),
  )
}

/** A word that begins a question, or a heading that stands for one. */
const BEGINS =
  /^(?:what|why|how|when|where|which|who|whose|can|could|do|does|did|is|are|was|were|should|must|may|will|would|has) /i

/** A question about a name whose mark is left out: `What is BIRD`, unlike `What is kept`. */
const WHOLE = /^What (?:is|are) (?:an? |the )?\p{Lu}/u

/** True if a heading begins with a verb that is known, or with a gerund and an article: `Oiling a chain`. */
function isAction(heading: string): boolean {
  // `ADD constraint` and `configure Complains` begin with names.
  if (/^(?:\p{Lu}{2,} .*\p{Ll}|\p{Ll}+ \p{Lu})/u.test(heading)) return false
  const [first = '', second = ''] = heading.toLowerCase().split(' ', 2)
  return GERUNDS.has(first) || VERBS.has(first) || (/[a-z]{2}ing$/.test(first) && ARTICLE.test(second))
}

function bounded(question: string | null): string | null {
  return question !== null && question.length >= LEAST && question.length <= MOST ? question : null
}

function askedInOther(text: string): string | null {
  const isLong = text.split(' ').length > 2 || (/[\p{Lo}]/u.test(text) && text.length >= LEAST_DENSE)
  return /[?？؟]$/.test(text) && isLong && text.length <= MOST ? text : null
}

/** Without section numbers, marks of formatting, and signs such as ☞ or ¶ that decorate it. */
function plainHeading(heading: string): string {
  return heading
    .replaceAll(/[`*¶]|\p{So}/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/ (?=\?$)/, '')
    .replaceAll(' & ', ' and ')
    .replace(/^(?:\(\d+\)|\d+(?:\.\d+)*[.):]|\d+(?:\.\d+)+|Q(?:uestion)?:|step \d+[.:]?) /i, '')
    .replace(/[:.]$/, '')
    .trim()
}

/** Words that point to something outside the question or to its authors, and questions to the reader. */
const POINTS = /\b(?:this|that|these|those|it|its|they|them|here|above|below|following|such|next|more|we|us|our)\b/i
const TO_READER = /^(?:are|do|did|have|can|could|will|would|was) you\b/i

/** A verb. Without one, a heading such as `Why hooks?` is a label. */
const AUXILIARY =
  /\b(?:am|is|are|was|were|do|does|did|can|could|should|would|will|must|may|might|has|have|had|isn't|aren't|doesn't|don't|can't|why not)\b/i

function askedInEnglish(text: string): string | null {
  const isWhole = BEGINS.test(text) && AUXILIARY.test(text) && !POINTS.test(text) && !TO_READER.test(text)
  const plain = text.replace(/\?$/, '')
  return isWhole && isOneSentence(plain) ? `${plain.charAt(0).toUpperCase()}${plain.slice(1)}?` : null
}

const isOneSentence = (text: string): boolean => !/[.!?;:…]( |$)|[=<>{}|[\]\\]| — | – | - /.test(text)

const ARTICLE = /^(?:an?|the|your)$/
const DETERMINER = /^(?:an?|the|your|my|our|multiple|several|all|any|another|new|custom|own|more|other|each|every)$/i
const PREPOSITION = /^(?:with|from|to|in|into|on|for|as|at|by|over|through|up|out|off|via|against|between|without)$/i
/** `Getting started`, `Getting help`. */
const AFTER_GET = /^(?:started|help|involved)$/

/** `How to add a page`, `Adding a page` and `Add a page` as `How do I add a page?`. */
function howTo(heading: string, text: string): string | null {
  const phrase = /^how to (.+)$/i.exec(heading)?.[1] ?? actionOf(heading.split(' '), text)
  return phrase === null ? null : howDoI(phrase)
}

/** The action that a heading names, with its verb in the infinitive. Null for the name of a thing. */
function actionOf([first = '', ...rest]: string[], text: string): string | null {
  const word = first.toLowerCase()
  const gerund = GERUNDS.get(word) ?? (ARTICLE.test(rest[0] ?? '') ? verbInText(word, text) : undefined)
  const verb = gerund ?? (VERBS.has(word) ? word : null)
  const [second, third, ...others] = rest
  if (verb === null || second === undefined || second === 'of' || second.startsWith('(')) return null
  if (gerund && isThing(`${first} ${second}`.toLowerCase(), text)) return null
  if (/^(?:and|or)$/.test(second)) {
    const other = gerund ? GERUNDS.get(third ?? '') : third
    // `Read and write ordering` is a thing.
    const isOwn = gerund !== undefined || !/(?:ing|ness|tion)$/.test(others.join(' '))
    return others.length > 0 && others[0] !== 'of' && isOwn && other !== undefined && VERBS.has(other)
      ? [verb, second, other, ...others].join(' ')
      : null
  }
  if (gerund) rest.forEach((each, at) => (rest[at] = afterConjunction(each, rest[at - 1] ?? '')))
  const isAction =
    DETERMINER.test(second) || PREPOSITION.test(second) || (gerund ? hasObject(verb, rest) : isBare(verb, rest))
  return isAction ? [verb, ...rest].join(' ') : null
}

/** The words of a command: `Generate arguments` lists those of `generate`. */
const OF_COMMAND = /^(?:arguments|options|parameters|flags|syntax|semantics)$/

/** True for `Install plugins`, and for `Use Grafana with Loki`: other verbs are nouns too. */
const isBare = (verb: string, [object = '', next = '', ...more]: readonly string[]): boolean =>
  PLAIN.has(verb)
    ? !(OF_COMMAND.test(object) && next === '')
    : /^(?:use|run|start|stop|make|update|upgrade)$/.test(verb) &&
      /^\p{Lu}\p{Ll}/u.test(object) &&
      PREPOSITION.test(next) &&
      more.length > 0

/** True if the sentences of the page use the first words of a heading as the name of a thing: `a filtering chain`. */
function isThing(heading: string, text: string): boolean {
  const name = heading.replace(/(?<=[^su])s$/, '')
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) {
    const before =
      text
        .slice(Math.max(0, at - 30), at)
        .split(/\s/)
        .at(-2) ?? ''
    if (/^(?:an?|the|these|those|each|every|all|any)$|\p{L}-\p{L}/u.test(before)) return true
  }
  return false
}

/** The verb of a gerund: the form that the sentences of the page use. Undefined if they use none. */
function verbInText(gerund: string, text: string): string | undefined {
  const stem = /^([a-z]{2,})ing$/.exec(gerund)?.[1]
  if (stem === undefined) return undefined
  const forms = [stem, `${stem}e`, ...(stem.at(-1) === stem.at(-2) ? [stem.slice(0, -1)] : [])]
  return forms.find((form) => countOf(text, form) > 0)
}

/** `Binding parameters and reusing statements` → `bind parameters and reuse statements`. */
const afterConjunction = (word: string, before: string): string =>
  /^(?:and|or)$/.test(before) ? (GERUNDS.get(word) ?? word) : word

/** False for `Loading indicator`, `Building blocks`: a thing whose name begins with a gerund. */
function hasObject(verb: string, rest: readonly string[]): boolean {
  const [first = ''] = rest
  if (verb === 'get' && AFTER_GET.test(first)) return !/^(?:and|or)$/.test(rest[1] ?? '')
  // `Testing BIRD`, unlike `Testing environments`
  if (!PLAIN.has(verb) && !AS_NOUNS.has(verb)) return /^\p{Lu}/u.test(first)
  const until = rest.findIndex((word) => PREPOSITION.test(word) || /^(?:of|and|or)$/.test(word))
  const last = (until < 0 ? rest : rest.slice(0, until)).at(-1) ?? ''
  return /[^su]s$/.test(last) || /[^a-z]/.test(first)
}

/** A verb phrase in the infinitive as a question, or null if it points to something else. */
export function howDoI(phrase: string): string | null {
  if (POINTS.test(phrase) || !isOneSentence(phrase) || !phrase.trim().includes(' ')) return null
  if (/\b(?:i|me)\b/i.test(phrase)) return null
  const own = phrase
    .replaceAll(/\byour\b/gi, 'my')
    .replaceAll(/\byourself\b/gi, 'myself')
    .replaceAll(/\byou're\b/gi, "I'm")
    .replaceAll(/\byou are\b/gi, 'I am')
    .replaceAll(/\byou\b/gi, 'I')
  return `How do I ${own.charAt(0).toLowerCase()}${own.slice(1)}?`
}

/** `How routing works`, `When to use hooks`, `Why use hooks` and the like as questions. */
function ofQuestionWord(text: string): string | null {
  if (POINTS.test(text) || !isOneSentence(text)) return null
  const works = /^how (.{3,60}) (works?)$/i.exec(text)
  if (works) return `How ${works[2] === 'works' ? 'does' : 'do'} ${works[1]} work?`
  const should = /^(when|where|what|which|whom|why)(?: (not))? to (.{3,70})$/i.exec(text)
  if (should)
    return asked(should[1], FINDS.test(should[3] ?? '') ? 'can I' : should[2] ? 'should I not' : 'should I', should[3])
  const reason = /^why (use|choose) (.{3,70})$/i.exec(text)
  return reason ? asked('why', 'should I', `${reason[1]} ${reason[2]}`) : null
}

/** `Where to find it` asks for no advice. */
const FINDS = /^(?:find|get|see|read|learn|report|ask)\b/

function asked(word: string | undefined, middle: string, rest: string | undefined): string {
  const [first = ''] = word ?? ''
  return `${first.toUpperCase()}${word?.slice(1).toLowerCase()} ${middle} ${rest?.replaceAll(/\byour\b/g, 'my')}?`
}

/** What can come after an infinitive of purpose: the main clause, not a further member of a list. */
const GOES_ON =
  /^(?:you|one|we|the|a|an|use|run|simply|just|call|set|add|first|open|create|pass|do|type|execute|specify|include|define|configure|edit|enable|there|start|import|write|provide|put|click|go|make|install|select|choose|give|apply|define|place|change|replace|it|all|each|every|most)$/i

/**
 * A question from the first sentence of a section: `To enable the log, set …` → `How do I enable the log?`, and
 * `A virtual table is an object …` → `What is a virtual table?` if the heading names the same thing. Null for others,
 * and in other languages than English.
 */
export function questionOfOpening(sentence: string, heading: string, place: Place): string | null {
  if (!isEnglish(place)) return null
  const text = sentence.replaceAll(/[`*]/g, '').replaceAll(/\s+/g, ' ').trim()
  return bounded(ofPurpose(text, plainHeading(heading)) ?? ofDefinition(text, plainHeading(heading), place.text))
}

/** Null unless the heading has a word of the purpose: below `Requirements`, the sentence says what to have first. */
function ofPurpose(text: string, heading: string): string | null {
  if (!text.startsWith('To ')) return null
  const comma = text.indexOf(', ')
  if (comma < 0 || comma > MOST) return null
  const phrase = text.slice(3, comma)
  const [verb = ''] = phrase.split(' ')
  const [next = ''] = text.slice(comma + 2).split(' ')
  const isOwn = phrase.split(' ').some((word) => word.length > 2 && !SMALL.test(word) && hasWord(heading, word))
  return VERBS.has(verb) && GOES_ON.test(next) && isOwn ? howDoI(phrase) : null
}

/** True if a heading has a word or another form of it: `Compiling` has `compile`. */
const hasWord = (heading: string, word: string): boolean =>
  heading
    .toLowerCase()
    .split(' ')
    .some((each) => each.startsWith(word.toLowerCase().replace(/(?<=.{3})[es]$/, '')))

const IS = /^(?:(the|an?) )?(.{2,50}?) (is|are) (?:an?|the|any|one of|simply an?|just an?) \p{L}/iu

function ofDefinition(text: string, heading: string, page: string): string | null {
  const match = IS.exec(text.slice(0, 200))
  if (!match) return null
  const [, article, subject = '', verb] = match
  // `The header` is one of its page.
  if (article?.toLowerCase() === 'the' && !subject.includes(' ')) return null
  if (POINTS.test(subject) || !isOneSentence(subject) || subject.split(' ').length > 4) return null
  if (nameKey(subject) !== nameKey(heading)) return null
  const [first = '', ...rest] = subject.split(' ')
  const named = [article === undefined ? caseInText(first, page, 'as is') : first, ...rest].join(' ')
  return `What ${verb} ${article === undefined ? '' : `${article.toLowerCase()} `}${named}?`
}

/** A name without case, article and plural. */
const nameKey = (name: string): string =>
  name
    .toLowerCase()
    .replace(/^(?:the|an?) /, '')
    .replace(/(?<=[^su])s$/, '')

/** The task that the title of an operation's page names: `Retrieves a user: GET /users/{id}`. Null if it names none. */
export function questionOfOperation(title: string): string | null {
  const words = /^(.{3,90}): [A-Z]{3,7} \/\S*$/.exec(title)?.[1]?.split(' ') ?? []
  const task = words.map((word, at) => (at === 0 || words[at - 1] === 'and' ? (infinitiveOf(word) ?? word) : word))
  return VERBS.has(task[0] ?? '') ? bounded(howDoI(task.join(' '))) : null
}

/** `Creates`, `modifies` and `create` as an infinitive. Null for other words. */
function infinitiveOf(word: string): string | null {
  const said = word.toLowerCase()
  const forms = [said, said.replace(/s$/, ''), said.replace(/es$/, ''), said.replace(/ies$/, 'y')]
  return forms.find((form) => VERBS.has(form)) ?? null
}

/** A question about a named option, setting or command. Null if the name has several words, or is a common word. */
export function questionOfEntry(kind: 'option' | 'setting' | 'command', name: string): string | null {
  if (!/^[-\w:$@/]+(?:\.[-\w:$@/]+)?$/.test(name) || name.length > 40 || !/\p{L}{2}/u.test(name)) return null
  if (/\.(?:\p{Lu}|\w{1,4}$)/u.test(name)) return null
  if (kind === 'option') return bounded(`What does the ${name} option do?`)
  // A title such as `Accounts` is no command.
  if (kind === 'command') return /^\p{Lu}\p{Ll}+$/u.test(name) ? null : bounded(`What does ${name} do?`)
  // Settings are told from properties by no word of their own.
  return /[-_.:\d]|\p{Ll}\p{Lu}/u.test(name) ? bounded(`What is ${name}?`) : null
}
