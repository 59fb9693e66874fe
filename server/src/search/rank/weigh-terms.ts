import type { Weights } from '#search/weights.ts'
import { idf } from './norms.ts'
import type { QueryTerm } from './resolve-query.ts'

/** A word of the question with its weight in scores. */
export type WeighedTerm = QueryTerm & {
  /** Share of the question that a page with the word covers, in the same unit for all words. */
  cover: number
}

/** Programming languages by name. Names that are also words of other subjects (`c`, `go`, `swift`) are left out. */
const LANGUAGES = new Set('golang java javascript kotlin perl php python ruby rust scala typescript'.split(' '))
/** A shorter question may be about the language itself. */
const LONG_FROM = 3

/**
 * Weighs the words of a question in a corpus of `pages` pages. A repeated word counts more, because a long question
 * repeats its subject. A programming language counts less, because it says where the answer applies, and most pages
 * about the subject do not name it. Rare words cover more of the question than frequent ones, such as function words of
 * a language without a list of them. A word on no page has the same effect on all pages.
 */
export function weighTerms(
  queryTerms: readonly QueryTerm[],
  pages: number,
  { repeat, rarity, language }: Weights['question'],
): WeighedTerm[] {
  return queryTerms.map((queryTerm) => {
    const isContext = queryTerms.length >= LONG_FROM && LANGUAGES.has(queryTerm.raw.toLowerCase())
    const worth = isContext ? queryTerm.weight * language : queryTerm.weight
    const having = Math.max(0, ...queryTerm.terms.map(({ stats, isSynonym }) => (isSynonym ? 0 : stats.pages)))
    return { ...queryTerm, weight: worth * queryTerm.count ** repeat, cover: worth * idf(pages, having) ** rarity }
  })
}
