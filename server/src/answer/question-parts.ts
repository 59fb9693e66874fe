import { isStopWord } from '#search/analyse/stop-words.ts'
import { questionTerms } from './asked-terms.ts'
import type { Found, QuestionPart } from './answer.ts'

/** Each part costs a search. People rarely ask for more at once. */
const MOST_PARTS = 3

/** A clause with fewer content terms asks nothing alone, unless it refers to an earlier one: `and how do I test it?`. */
const LEAST_TERMS = 2

const QUESTION_WORD = String.raw`(?:how|what|why|when|where|which|who|wie|was|warum|wann|wo|welche[rs]?|comment|quels?|quelles?|pourquoi|cómo|qué|cuándo|dónde)`
const AUXILIARY = String.raw`(?:can|could|do|does|is|are|should|will|would|must)`
const SUBJECT = String.raw`(?:i|we|you|it|one|they|there|users?|the|a|an|this|that)`

/** The beginning of a further clause that asks: `…, and how do I …`. */
const FURTHER = new RegExp(
  String.raw`(?:,|;)?\s(?:and|und|et|y|as well as)\s(?:then\s|also\s|auch\s)?(?=${QUESTION_WORD}\s|${AUXILIARY}\s${SUBJECT}\s)`,
  'gi',
)

const ASKED = /(?<!\?)\?+(?=\s\S)/g

const ASKS = new RegExp(String.raw`\b${QUESTION_WORD}\b|\?|^\s*${AUXILIARY}\b`, 'iu')

/** A clause of time or place: `When I run the command`. */
const CIRCUMSTANCE = /^(?:when|where|wenn|quand) (?:i|we|you|the|an?|ich|wir|je)\b[^?]*$/i

/** Words that stand for something in an earlier part. */
const REFERS =
  /\b(?:it|its|this|that|these|those|they|them|their|the same|do so|dies(?:e[nrs]?)?|dazu|dafür|cela|eso|esto)\b/i

/** Code, capitalised words inside a sentence, and words with signs or capitals inside. */
const NAMES =
  /`[^`\n]{1,80}`|(?<=[\p{L}\p{N},]\s)\p{Lu}[\p{L}\p{N}_.-]{0,60}|[\p{L}\p{N}]{1,60}(?:[_.]|\p{Ll}\p{Lu})[\p{L}\p{N}_.]{1,60}/gu

/** The parts of a question: sides of a comparison, or several questions. Empty if it asks for one thing. */
export function questionParts(question: string): QuestionPart[] {
  const text = question.replaceAll(/\s+/g, ' ').trim()
  const sides = comparedSides(text)
  return sides ? sidesAsParts(sides) : severalQuestions(text)
}

const COMPARES = new Set(
  questionTerms(
    'difference differences different differ distinct distinguish compare compared comparison versus vs better same between over instead choose prefer Unterschied',
  ),
)

const IDENTIFIER = /[_.:()]|\p{Ll}\p{Lu}/u

type Comparison = {
  sides: [string, string]
  /** The rest of the question, such as `in Vue`. */
  context: string
}

function sidesAsParts({ sides, context }: Comparison): QuestionPart[] {
  const words = context.match(/[\p{L}\p{N}_.-]+/gu) ?? []
  const around = words.filter((word) => !isStopWord(word) && !questionTerms(word).some((term) => COMPARES.has(term)))
  // An identifier alone finds its definition, and words need their context.
  return sides.map((side) => ({
    label: side,
    question: !side.includes(' ') && IDENTIFIER.test(side) ? side : [side, ...around].join(' '),
    side,
  }))
}

function severalQuestions(text: string): QuestionPart[] {
  const clauses = splitAfter(text, ASKED)
    .flatMap((sentence) => splitAfter(sentence, FURTHER))
    .map((clause) => clause.trim())
  const asking = clauses.filter((clause) => ASKS.test(clause) && !CIRCUMSTANCE.test(clause) && isWhole(clause))
  if (asking.length < 2 || asking.length > MOST_PARTS) return []
  return asking.map((clause, at) => {
    const earlier = asking.slice(0, at).join(' ')
    return { label: labelOf(clause), question: withNames(clause, earlier), side: null }
  })
}

/** Adds the words that the clause refers to: the names in code of earlier clauses, or all their words if none has any. */
function withNames(clause: string, earlier: string): string {
  const named = new Set(earlier.match(NAMES))
  const names = [...named].filter((name) => !clause.includes(name))
  if (!REFERS.test(clause)) return names.length > 0 && names.length <= 2 ? `${clause} ${names.join(' ')}` : clause
  const code = names.filter((name) => /[`_]|\p{Ll}\p{Lu}/u.test(name))
  return `${clause} ${code.length > 0 ? code.join(' ') : earlier}`.trim()
}

function isWhole(clause: string): boolean {
  const terms = questionTerms(clause).filter((term) => !COMPARES.has(term) && !isStopWord(term))
  return terms.length >= (REFERS.test(clause) ? 1 : LEAST_TERMS)
}

/** The last sentence of the clause as a question: with a capital and a question mark. */
function labelOf(clause: string): string {
  const said = (clause.split(/\. (?=\p{Lu})/u).at(-1) ?? '').replace(/(?<![?.,;:\s])[?.,;:\s]+$/, '')
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}?`
}

function splitAfter(text: string, pattern: RegExp): string[] {
  const pieces: string[] = []
  let from = 0
  for (const match of text.matchAll(pattern)) {
    const end = match.index + match[0].length
    pieces.push(text.slice(from, end).replace(/(?:,|;)?\s(?:and|und|et|y|as well as)\s(?:then\s|also\s|auch\s)?$/i, ''))
    from = end
  }
  return [...pieces, text.slice(from)]
}

/** Characters of a side: `the useLayoutEffect hook`. Longer ones are clauses. */
const LONGEST_SIDE = 60

const USE = String.raw`(?:use|choose|pick|prefer|take|want|need|go (?:with|for))`
const CHANGE = String.raw`(?:differ(?:ent)?|distinct|compare)`
const NOT = String.raw`(?:over|instead of|rather than|in place of)`

/** Two sides with a word between them: `between X and Y`. The first group comes before, the last one is the sides. */
const BETWEEN =
  /^(.{0,80}?)\b(?:differences?|differs?|distinctions?|distinguish|unterschiede?|différences?|diferencias?)(?: is| are)? (?:between|of|in|zwischen|entre) (.{1,200})$/i
const AND = / (?:and|und|et|y|or|vs\.?|versus|&) /i

/** Groups: what comes before, the first side, and the second side with what follows it. */
const NAMED = [
  /^(.{0,40}?)\bhow (?:do|does) (.{1,80}?) compare (?:to|with|against) (.{1,120})$/i,
  /^(.{0,40}?)\bcompar(?:e|ing|ison of) (.{1,80}?) (?:and|with|to|against) (.{1,120})$/i,
  /^(.{0,40}?)\bhow (?:do|does|is|are) (.{1,80}?) (?:differ|different|distinct) from (.{1,120})$/i,
  new RegExp(String.raw`^(.{0,40}?)\bhow (?:do|does|are|is) (.{1,60}?) and (.{1,60}?) ${CHANGE}\b.{0,60}$`, 'i'),
  /^(.{0,40}?)\bwhat (?:distinguishes|separates|sets) (.{1,60}?) (?:apart )?from (.{1,80})$/i,
  /^(.{0,40}?)\bwhat makes (.{1,60}?) (?:different|distinct|better|faster|slower)(?: than| from) (.{1,80})$/i,
  new RegExp(
    String.raw`^(.{0,40}?)\b(?:when|why|where) (?:to|(?:should|would|do|does|must|can) (?:i|we|you|one|someone|people)) ${USE} (.{1,60}?) ${NOT} (.{1,80})$`,
    'i',
  ),
  new RegExp(
    String.raw`^(.{0,40}?)\b(?:should (?:i|we|you) ${USE}|when (?:to|(?:should|do|would) (?:i|we|you)) ${USE}|which is (?:better|faster|preferred|recommended)[,:]?|which (?:one )?(?:should|do|would) (?:i|we|you) ${USE}[,:]?|what is better[,:]?|choose between|better[,:]?) (.{1,60}?),? or (.{1,80})$`,
    'i',
  ),
  /^(.{0,40}?)\b(?:is|are) (.{1,60}?) (?:the same as|different from|identical to|equivalent to) (.{1,80})$/i,
  // `ref and reactive difference`
  /^()(.{1,60}?) (?:and|or|vs\.?|versus|&) (.{1,60}?),? (?:the )?(?:differences?|comparison|compared|unterschiede?)\?*$/i,
  // `ref or reactive?`
  /^()(\S{2,60}) or (\S{2,60}?)\?*$/i,
] as const
const VERSUS = /^(.{1,120}?) (?:vs\.?|versus|compared (?:to|with)|as opposed to) (.{1,120})$/i

/** Words that end the second side: `in Vue`, `for forms?`, `, and when …`. */
const AFTER =
  /(?: (?:in|for|when|with|on|of|to|if|while|using|inside|as|within) |[?,.;:](?= |$)| and (?:when|which|how|what) )/i
/** What comes before the first side: `Vue: `, `When to use `. */
const BEFORE = /^.*(?:[?.:;,] | (?:use|using|choose|prefer|between|is|are|of) |^(?:use|using|when to use) )/i

function comparedSides(text: string): Comparison | null {
  const between = BETWEEN.exec(text)
  if (between) {
    const [first = '', ...rest] = (between[2] ?? '').split(AND)
    return comparison(between[1] ?? '', first, rest.join(' and '))
  }
  for (const form of NAMED) {
    const named = form.exec(text)
    if (named) return comparison(named[1] ?? '', named[2] ?? '', named[3] ?? '')
  }
  const versus = VERSUS.exec(text)
  if (!versus) return null
  const before = BEFORE.exec(versus[1] ?? '')?.[0] ?? ''
  return comparison(before, (versus[1] ?? '').slice(before.length), versus[2] ?? '')
}

function comparison(before: string, first: string, second: string): Comparison | null {
  const end = AFTER.exec(second)?.index ?? second.length
  const sides = [first, second.slice(0, end)].map(bareSide)
  const [one = '', other = ''] = sides
  if (!isSide(one) || !isSide(other) || one.toLowerCase() === other.toLowerCase()) return null
  return { sides: [one, other], context: `${before} ${second.slice(end)}` }
}

/** `not`, `report only that they differ` */
const CLAUSE = /^(?:how|what|when|where|why|not|no|without)\b|\b(?:that|they|it|you|i|we)\b/i

/** False for clauses, and for words without content. */
function isSide(side: string): boolean {
  return (
    side !== '' &&
    side.length <= LONGEST_SIDE &&
    !CLAUSE.test(side) &&
    side.split(' ').some((word) => !isStopWord(word))
  )
}

/** A side without articles, quotation marks and the nouns that introduce it: ```the command ```x```` `. */
function bareSide(side: string): string {
  return side
    .trim()
    .replace(
      /^(?:(?:the|an?|using|both|commands?|functions?|options?|methods?|directives?|modules?|tags?|der|die|das|le|la|el) )+/i,
      '',
    )
    .replaceAll(/[`"“”]/g, '')
    .trim()
}

/** Number and total bytes of passages read for one answer. More passages add little and cost time. */
export const EVIDENCE = { limit: 8, budget: 12_000 } as const

/** The same for a part of a question, which is quoted from one section. */
const PART_EVIDENCE = { limit: 5, budget: 6_000 } as const

export type EvidenceSize = { limit: number; budget: number }

/** `subject` is the thing to define, to describe or to compare, if the question asks for that. */
type Find = (question: string, size: EvidenceSize, subject: string | null) => Promise<Found>

/** Searches for the question, and again for each of its parts if it asks for several things. */
export async function findForQuestion(question: string, find: Find): Promise<Found> {
  const found = await find(question, EVIDENCE, askedSubject(question))
  if (found.passages.length === 0) return found
  const asked = questionParts(question)
  if (asked.length === 0) return found
  const parts = asked.map(async (part) => {
    const subject = part.side ?? askedSubject(part.question)
    return { ...part, found: await find(part.question, PART_EVIDENCE, subject) }
  })
  return { ...found, parts: await Promise.all(parts) }
}

/** Words and characters of a term. Longer ones are clauses: `the best way to mount a volume`. */
const MOST_WORDS = 5
const LONGEST = 60

const FORMS = [
  /^(?:so,? |and )?what(?: is|['’]s| are| was| were) (?:meant by |the (?:meaning|definition|concept) of )?(.{2,80}?)\??$/i,
  /^what (?:does|do) (.{2,80}?) (?:mean|stand for)\??$/i,
  /^(?:please )?(?:define|explain) (.{2,80}?)[.?]?$/i,
  /^(?:meaning|definition) of (.{2,80}?)\??$/i,
  /^was (?:ist|sind|bedeutet) (.{2,80}?)\??$/i,
]
/** What these introduce is a property or a choice, not a term. */
const NO_TERM =
  /^(?:new|best|wrong|left|there|it|this|that|these|those|you|your|my|happening|going|different)\b|\b(?:difference|differences|between|of|to|in|for|from|with|that|which|when|if|or|and|vs|default|used|wrong|new|it|this|you|i)\b/i

/** What a thing does is a description of it: `What does the string command do?` */
const DOES = /^what (?:does|do) (.{2,80}?) do\??$/i

/** The product or the language that has the thing: `in fish`. */
const PLACE = / in (?:the )?[\w.+#-]{2,30}(?: [\w.+#-]{2,30})?(?=\??$)/i

/** The thing that a question asks to define or to describe, or null: `string command` for the example above. */
export function askedSubject(question: string): string | null {
  const text = question.replaceAll(/\s+/g, ' ').trim()
  return termOf(DOES.exec(text)?.[1] ?? '') ?? definedTerm(text) ?? definedTerm(text.replace(PLACE, ''))
}

/** The term whose definition a question asks for, without articles: `refspec` for `What is a refspec?`. Or null. */
export function definedTerm(question: string): string | null {
  const text = question.replaceAll(/\s+/g, ' ').trim()
  for (const form of FORMS) {
    const term = termOf(form.exec(text)?.[1] ?? '')
    if (term !== null) return term
  }
  return null
}

/** A term without articles and quotation marks. Null for a clause. */
function termOf(found: string): string | null {
  const term = found.replace(/^(?:(?:an?|the|term|word|ein|eine|der|die|das) )+/i, '').replaceAll(/["“”]/g, '')
  const isTerm = term !== '' && term.length <= LONGEST && term.split(' ').length <= MOST_WORDS && !NO_TERM.test(term)
  return isTerm ? term : null
}
