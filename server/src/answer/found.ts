import type { Passage, SearchResult } from '#search/passage.ts'

/** What an answer is made of: the passages that were found for a question, and what is known of the search. */
export type Found = Pick<SearchResult, 'passages' | 'words' | 'agreement'> & {
  /** One of the passages: the operation of an API that does what is asked for. It is told first. */
  endpoint?: Passage | null
}
