import type { Passage, SearchResult } from '#search/passage.ts'
import type { QuestionPart } from './question-parts.ts'

/** Input of an answer: the passages found for a question, and statistics of the search. */
export type Found = Pick<SearchResult, 'passages' | 'words' | 'agreement'> & {
  /** The API operation that the question asks about: the first passage of its page, shown first, and the whole page. */
  endpoint?: { first: Passage; page: Passage } | null
  /** The entry of the release whose changes the question asks for. */
  release?: Passage | null
  /** The same for each part of a question that asks for several things. */
  parts?: readonly FoundPart[]
}

export type FoundPart = QuestionPart & { found: Found }
