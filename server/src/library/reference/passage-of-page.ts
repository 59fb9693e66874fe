import type { Chunk } from '#search/page.ts'
import { passageOfChunk } from '#search/passage-of-chunk.ts'
import type { Passage } from '#search/passage.ts'
import { blocksBetween, type OpenPage } from '../library-page.ts'

/** Makes a passage from a span of a looked-up page. `score` is comparable with the passages of a search. */
export function passageOfPage(
  page: OpenPage,
  given: Omit<Chunk, 'blocks' | 'entries'>,
  { rank = 1, score }: { rank?: number; score: number },
): Passage {
  const { title, sourceId, type, url, markdown } = page
  const chunk = { ...given, blocks: blocksBetween(page, given) }
  return { rank, score, title, sourceId, type, ...passageOfChunk({ url, markdown, chunk }) }
}
