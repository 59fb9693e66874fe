import { askedSubject } from './defined-term.ts'
import { EVIDENCE, type EvidenceSize, PART_EVIDENCE } from './evidence-size.ts'
import type { Found } from './found.ts'
import { questionParts } from './question-parts.ts'
import { PARTS } from './weights.ts'

/** `subject` is the thing to define, to describe or to compare, if the question asks for that. */
type Find = (question: string, size: EvidenceSize, subject: string | null) => Promise<Found>

/** Searches for the question, and again for each of its parts if it asks for several things. */
export async function findForQuestion(question: string, find: Find): Promise<Found> {
  const found = await find(question, EVIDENCE, askedSubject(question))
  if (found.passages.length === 0) return found
  const common = new Set(found.words.filter(({ share }) => share >= PARTS.common).map(({ word }) => word.toLowerCase()))
  const asked = questionParts(question, common)
  if (asked.length === 0) return found
  const parts = asked.map(async (part) => {
    const subject = part.side ?? askedSubject(part.question)
    return { ...part, found: await find(part.question, PART_EVIDENCE, subject) }
  })
  return { ...found, parts: await Promise.all(parts) }
}
