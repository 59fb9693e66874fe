import { isStopWord } from '#search/analyse/stop-words.ts'
import { type AskedTerms, questionTerms, termsOf } from './asked-terms.ts'
import type { Excerpt } from './excerpts.ts'
import type { ScoredUnit, Section } from './sections.ts'
import { YES_NO } from './weights.ts'

export type Verdict = {
  said: 'yes' | 'no'
  section: Section
  /** The sentence that decides. */
  unit: ScoredUnit
}

/** The question may follow the name of its topic: `Vite: does it …`, `In Hono, can I …`. */
const ASKS =
  /(?:^|[,:.;] )(is|are|was|were|does|do|did|has|have|can|could|will|would|should|must|may) (?!not\b)[^?]{3,200}\?*$/i

/** Questions that begin like these ask how, or offer a choice. */
const ASKS_MORE =
  /\b(?:how|what|which|why|where|who|or)\b|^(?:can|could|would) (?:you|someone|anyone|somebody|anybody)\b|\b(?:a way|any way) to\b/i

/** Words that an assertion must share with the question, because they turn it round or bound it. */
const BOUNDS =
  /\b(?:not|no|never|without|only|always|every|all|any|each|more|less|than|still|yet|already|before|after|until|first|also|both)\b|n['’]t\b/gi

/** Words that make an assertion depend on something. */
const DEPENDS =
  /\b(?:if|unless|except|may|might|could|sometimes|usually|often|some|most|but|however|although|though|depends|depending|only|when|whenever|until|while|should|instead|rather|except|partially|experimental|otherwise)\b|\?/i

/** A negated verb. */
const DENIES =
  /\b(?:does|do|did|is|are|was|were|can|could|will|would|has|have|must) not\b|\bcannot\b|\b\w+n['’]t\b|\bno longer\b/gi
const NEGATION =
  /\b(?:not|no|never|none|nor|neither|cannot|without|nothing|nobody|lacks?|fails?|deprecated|removed|unsupported)\b|n['’]t\b/gi

/** Verbs of duty. A sentence that allows something does not demand it. */
const ASKS_DUTY = /^(?:must|should)$|\b(?:need|have) to\b|\b(?:required|necessary|mandatory)\b/i
const DUTY = /\b(?:must|should|required?s?|needs?|needed|have to|has to|necessary|mandatory|recommended)\b/i

/** The auxiliary verb of a question for yes or no, in lower case; null for other questions. English only. */
export function yesNoVerb(question: string): string | null {
  const text = question.replaceAll(/\s+/g, ' ').trim()
  const last = text.split(/(?<=[.!]) (?=\p{Lu})/u).at(-1) ?? ''
  const verb = ASKS.exec(last)?.[1]
  return verb === undefined || ASKS_MORE.test(last) ? null : verb.toLowerCase()
}

/**
 * Finds the sentence that answers yes or no. It has all words of the question, in their order, hardly any others, and
 * no
 * condition. Its subject may be in the headings. Null if no sentence decides, which includes every doubtful case.
 */
export function verdictOf(
  { question, verb, asked }: { question: string; verb: string; asked: AskedTerms },
  sections: readonly Section[],
): Verdict | null {
  if (asked.language !== 'en') return null
  const wanted = wantedTerms(question)
  if (wanted.length < 2) return null
  const needsDuty = ASKS_DUTY.test(verb) || ASKS_DUTY.test(question)
  const bounds = boundsIn(question)
  for (const section of sections.slice(0, YES_NO.sections)) {
    const above = new Set(termsOf(`${section.passage.title} ${section.passage.heading}`))
    for (const unit of section.units) {
      const text = unit.text.replaceAll(/[*_]/g, '')
      if (unit.kind === 'code' || unit.kind === 'table' || text.length > YES_NO.longest || DEPENDS.test(text)) continue
      const said = polarityOf(text)
      if (said === null || !states(text, wanted, { above, further: YES_NO.further[said] })) continue
      if (needsDuty !== DUTY.test(text)) continue
      // Bounds other than the negation must be those of the question.
      if (!sameBounds(bounds, boundsIn(text.replaceAll(DENIES, ' ')))) continue
      return { said, section, unit }
    }
  }
  return null
}

/** The sentence that decides, and the rest of its paragraph. */
export function excerptFrom({ section, unit }: Verdict): Excerpt {
  const from = section.units.indexOf(unit)
  let left = YES_NO.around
  const units = section.units.slice(from).filter((next, at) => {
    left -= next.text.length + 1
    return at === 0 || (left >= 0 && next.group === unit.group)
  })
  return { section, units }
}

/** Terms in the order of the question, with verbs such as `use` and `work`, which searches leave out. */
function wantedTerms(question: string): string[] {
  const text = question.replaceAll(BOUNDS, ' ')
  const content = new Set(questionTerms(text))
  const verbs = new Set(termsOf('use used using need get make work'))
  return termsOf(text).filter((term, at, all) => (content.has(term) || verbs.has(term)) && all.indexOf(term) === at)
}

/**
 * True if a text has the terms in their order, and little else: a longer sentence says something else as well. Its
 * subject may be in the headings.
 */
function states(
  text: string,
  wanted: readonly string[],
  { above, further: most }: { above: ReadonlySet<string>; further: number },
): boolean {
  const said = termsOf(text)
  let at = -1
  let own = 0
  for (const term of wanted) {
    const next = said.indexOf(term, at + 1)
    if (next < 0) {
      if (own > 0 || !above.has(term)) return false
      continue
    }
    at = next
    own++
  }
  const known = new Set(wanted)
  const further = questionTerms(text).filter((term) => !known.has(term)).length
  return own >= 2 && own >= wanted.length / 2 && further <= most
}

/** Null if the text denies in a way that is not plain. */
function polarityOf(text: string): Verdict['said'] | null {
  const negations = text.match(NEGATION)?.length ?? 0
  if (negations === 0) return 'yes'
  const denials = text.match(DENIES)?.length ?? 0
  return negations === 1 && denials === 1 && !/\bnot only\b/i.test(text) ? 'no' : null
}

function boundsIn(text: string): string {
  const words = (text.match(BOUNDS) ?? []).map((word) => word.toLowerCase())
  return words
    .filter((word) => !isStopWord(word) || /^(?:not|no|any|all)$/.test(word))
    .toSorted()
    .join(' ')
}

function sameBounds(asked: string, said: string): boolean {
  return asked.replaceAll(/\bany\b/g, '').trim() === said
}
