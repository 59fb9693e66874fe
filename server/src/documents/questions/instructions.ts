import { sentencesOf } from '../model/read-block.ts'
import { VERBS } from './word-question.ts'

/** What a reader can do, as the subject of a clause: not `we walk you through it`. */
const YOU =
  /(?:^|[.,;:!?)] |\b(?:if|when|that|which|where|how|what|once|before|after|as|so|then|and|or|but) )you\b|\byou (?:can|may|must|should|need|have)\b/im
const IN_PASSIVE = /\b(?:can|may|must|should|needs? to|has to|have to) be [a-z]+(?:ed|en|t)\b|\bit is possible to\b/i

/**
 * True if a text tells its reader what to do. Others say what the thing itself does (`Handling missing objects`), or what
 * the document does.
 */
export function isInstruction(text: string): boolean {
  if (/\bthis (?:document|documentation|page|section|chapter|guide|tutorial|article)\b/i.test(text)) return false
  if (YOU.test(text) || IN_PASSIVE.test(text)) return true
  return sentencesOf(text).some(({ start, end }) => {
    const [first = '', second = ''] = text
      .slice(start, end)
      .replace(/^[\W\d_]+/, '')
      .split(/\s+/, 2)
    return VERBS.has(first.toLowerCase()) || (first === 'To' && /^[a-z]+$/.test(second))
  })
}

/** True if a section begins with a condition that has the verb of a question: it tells what follows, not how. */
export function isAfterwards(question: string, text: string): boolean {
  const [verb = ''] = question.replace('How do I ', '').split(' ', 1)
  const [clause = ''] = text.slice(0, 200).split(',', 1)
  return /^(?:if|when|whenever|once|after|although|while) /i.test(clause) && clause.split(' ').includes(verb)
}
