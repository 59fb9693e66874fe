import { withoutSection } from '#lib/addresses/page-address.ts'
import type { StoredQuestion } from '#store/sources/questions.ts'

const MOST = 3

type Answered = {
  question: string
  /** Addresses that the answer cites, and those of all passages that were found for it. */
  cited: readonly { url: string }[]
  found: readonly { url: string }[]
}

/**
 * Questions to ask next: tried ones about other sections of the cited pages, then about further pages that were found for
 * the question, in the order of the search. Empty if there are none.
 */
export function followUpsOf(stored: readonly StoredQuestion[], { question, cited, found }: Answered): string[] {
  const sections = new Set(cited.map(({ url }) => url))
  const pages = new Map([...cited, ...found].map(({ url }, rank) => [withoutSection(url), rank] as const).toReversed())
  const asked = plain(question)
  return stored
    .flatMap((one) => {
      const rank = pages.get(withoutSection(one.url))
      const isOpen = rank !== undefined && !sections.has(one.url) && plain(one.question) !== asked
      return isOpen ? [{ rank, text: one.question }] : []
    })
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, MOST)
    .map(({ text }) => text)
}

const plain = (question: string): string =>
  question
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
