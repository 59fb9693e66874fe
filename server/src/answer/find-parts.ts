import type { Found } from './found.ts'
import { questionParts } from './question-parts.ts'

/** A name on this share of the pages, such as that of the product, tells no part from another. */
const COMMON = 0.25

/** Searches for the question, and again for each of its parts if it asks for several things. */
export async function findForQuestion(question: string, find: (question: string) => Promise<Found>): Promise<Found> {
  const found = await find(question)
  if (found.passages.length === 0) return found
  const common = new Set(found.words.filter(({ share }) => share >= COMMON).map(({ word }) => word.toLowerCase()))
  const parts = questionParts(question, common)
  if (parts.length === 0) return found
  return {
    ...found,
    parts: await Promise.all(parts.map(async (part) => ({ ...part, found: await find(part.question) }))),
  }
}
