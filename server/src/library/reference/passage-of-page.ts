import type { Chunk } from '#search/page.ts'
import { passageOfChunk } from '#search/passage-of-chunk.ts'
import type { Passage } from '#search/passage.ts'
import type { OpenPage } from '../library-page.ts'

/** Makes a passage from a chunk of a looked-up page. `score` is comparable with the passages of a search. */
export function passageOfPage(
  { title, sourceId, type, url, markdown }: OpenPage,
  chunk: Chunk,
  { rank = 1, score }: { rank?: number; score: number },
): Passage {
  return { rank, score, title, sourceId, type, ...passageOfChunk({ url, markdown, chunk }) }
}
