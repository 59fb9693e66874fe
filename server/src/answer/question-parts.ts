import { isStopWord } from '#search/analyse/stop-words.ts'
import { comparedSides, type Comparison } from './compared-sides.ts'
import { questionTerms } from './terms.ts'

/** One of several things that a question asks for. */
export type QuestionPart = {
  /** The part in the words of the question, to show above its answer. */
  label: string
  /** The part as a complete question, with the names that it refers to. */
  question: string
  /** The name that the answer must be about, if the part is a side of a comparison. */
  side: string | null
}

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

/** The end of a sentence that asks. */
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

/**
 * Splits a question into the parts that it asks for: the sides of a comparison, or several questions. Empty if it asks
 * for one thing. Parts do not refer to the `common` words, in lower case.
 */
export function questionParts(question: string, common: ReadonlySet<string> = new Set()): QuestionPart[] {
  const text = question.replaceAll(/\s+/g, ' ').trim()
  const sides = comparedSides(text)
  return sides ? sidesAsParts(sides) : severalQuestions(text, common)
}

const COMPARES = new Set(
  questionTerms(
    'difference differences different differ distinct distinguish compare compared comparison versus vs better same between over instead choose prefer Unterschied',
  ),
)

/** Signs and capitals inside a word. */
const IDENTIFIER = /[_.:()]|\p{Ll}\p{Lu}/u

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

function severalQuestions(text: string, common: ReadonlySet<string>): QuestionPart[] {
  const clauses = splitAfter(text, ASKED)
    .flatMap((sentence) => splitAfter(sentence, FURTHER))
    .map((clause) => clause.trim())
  const asking = clauses.filter((clause) => ASKS.test(clause) && !CIRCUMSTANCE.test(clause) && isWhole(clause))
  if (asking.length < 2 || asking.length > MOST_PARTS) return []
  return asking.map((clause, at) => {
    const earlier = asking.slice(0, at).join(' ')
    return { label: labelOf(clause), question: withNames(clause, earlier, common), side: null }
  })
}

/** Adds the words that the clause refers to: the names in code of earlier clauses, or all their words if none has any. */
function withNames(clause: string, earlier: string, common: ReadonlySet<string>): string {
  const named = new Set(earlier.match(NAMES))
  const names = [...named].filter((name) => !clause.includes(name) && !common.has(name.toLowerCase()))
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
