import { memoizeByObject } from '#lib/objects.ts'
import { asksForNews, isNews } from '#search/catalogue/page-kind.ts'
import type { Segment } from '#search/segment/open-segment.ts'
import type { Weights } from '#search/weights.ts'
import type { CorpusPart } from './corpus.ts'

/** Factor of a page's score. `page` is numbered within the segment. */
export type PageFactor = (part: CorpusPart, page: number) => number

const [UNKNOWN, GUIDE, NEWS] = [0, 1, 2]

/**
 * Creates the factors of pages for a question. News (changelogs, announcements and blogs) count less, because they
 * repeat the words of guides, unless the question asks for a version or for what is new. So do pages of other products
 * than the one that the question names. Kinds are read once per page. Null if all factors are 1.
 */
export function createPageFactors({ news, product }: Pick<Weights, 'news' | 'product'>) {
  const kindsOf = memoizeByObject((segment: Segment) => new Uint8Array(segment.pageCount))
  const newsFactor = (): PageFactor => {
    let last: { segment: Segment; kinds: Uint8Array } | null = null
    return ({ segment }, page) => {
      if (last?.segment !== segment) last = { segment, kinds: kindsOf(segment) }
      const { kinds } = last
      if (kinds[page] === UNKNOWN) kinds[page] = isNews(segment.head(page)) ? NEWS : GUIDE
      return kinds[page] === NEWS ? news : 1
    }
  }
  return (question: string, others: ReadonlySet<string>): PageFactor | null => {
    const ofNews = asksForNews(question) ? null : newsFactor()
    if (others.size === 0) return ofNews
    return (part, page) => (others.has(part.sourceId) ? product : 1) * (ofNews?.(part, page) ?? 1)
  }
}
