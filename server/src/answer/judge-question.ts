import { askedKeys } from '#documents/model/name-key.ts'
import { withFences } from '#search/close-fences.ts'
import type { Passage } from '#search/passage.ts'
import type { Confidence, Found } from './answer.ts'
import { type AskedTerms, askedTerms } from './asked-terms.ts'
import { namesIn } from './question-parts.ts'
import { confidenceOf } from './confidence.ts'
import { askedSubject } from './defined-term.ts'
import { chooseExcerpts, type Excerpt } from './excerpts.ts'
import { restrictSections } from './restrict-sections.ts'
import { rateSections, type Section } from './sections.ts'
import { sentencesOf } from './units.ts'
import { TERM } from './weights.ts'

/** Judgement of a question from the passages found for it. */
export type Judged = {
  asked: AskedTerms
  passages: readonly Passage[]
  /** Possible sources of the answer, best first. */
  sections: readonly Section[]
  /** The answer, if it is one part. */
  excerpts: Excerpt[]
  confidence: Confidence
}

type About = {
  /** The whole question, which names the product or release, if this is a part of it. */
  whole?: string
  /** Names besides those that are recognisable by spelling. */
  names?: ReadonlySet<string>
}

/** Rates the passages found for a question as sources of its answer, and chooses what to quote. */
export function judgeQuestion(question: string, found: Found, { whole = question, names }: About = {}): Judged {
  const asked = askedTerms(question, found)
  const known = asked.weights.size <= TERM.mostWithName ? namesIn(question) : new Set<string>()
  const term = askedSubject(question)
  if (term !== null) for (const key of askedKeys(term).whole) known.add(key)
  const passages = withFences(found.passages)
  const sections = restrictSections(whole, rateSections(passages, asked, names ? known.union(names) : known))
  const excerpts = chooseExcerpts(sections, asked)
  const confidence = confidenceOf({ asked, question, found }, sections, excerpts)
  const sentence = confidence === 'none' ? sentenceThatAsks(question) : null
  const isDoubtful = sentence !== null && judgeQuestion(sentence, found, { whole }).confidence !== 'none'
  return { asked, passages, sections, excerpts, confidence: isDoubtful ? 'low' : confidence }
}

/** The sentence that asks, if the others only describe a situation. Null if all is one sentence, or several ask. */
function sentenceThatAsks(question: string): string | null {
  const sentences = sentencesOf(question).map(({ start, end }) => question.slice(start, end))
  const [asking, ...others] = sentences.filter((sentence) => sentence.endsWith('?'))
  return sentences.length > 1 && others.length === 0 ? (asking ?? null) : null
}
