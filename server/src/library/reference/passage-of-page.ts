import { blocksBetween, type OpenPage } from '../library-page.ts'
import type { Chunk } from '#search/page.ts'
import { plainInline } from '#documents/model/plain-inline.ts'
import { passageOfChunk } from '#search/passage-of-chunk.ts'
import type { Passage } from '#search/passage.ts'
import { headingOf, type Named } from '../find-named.ts'

/** Characters of an entry inside a passage. */
const MOST = 2_000

type Ranked = { rank?: number; score: number }

/** Makes a passage from a span of a looked-up page. `score` is comparable with the passages of a search. */
export function passageOfPage(
  page: OpenPage,
  given: Omit<Chunk, 'blocks' | 'entries'>,
  { rank = 1, score }: Ranked,
): Passage {
  const { title, sourceId, type, url, markdown } = page
  const chunk = { ...given, blocks: blocksBetween(page, given) }
  return { rank, score, title, sourceId, type, ...passageOfChunk({ url, markdown, chunk }) }
}

/** Makes a passage from an entry: the chunk that begins with its heading, or else its own text below its name. */
export function passageOfEntry(page: OpenPage, { chunk, entry, page: from }: Named, ranked: Ranked): Passage {
  const heading = headingOf({ chunk, entry, page: from })
  if (entry === null || (heading !== undefined && heading.text === chunk.headings.at(-1)))
    return passageOfPage(page, chunk, ranked)
  const { start, name } = entry
  const end = Math.min(entry.end, start + MOST)
  // The name stands for the heading that the entry does not have.
  const label = heading?.text ?? plainInline(page.markdown.slice(name.start, name.end))
  const headings = [...chunk.headings, label]
  const anchor = heading?.anchor ?? chunk.anchor
  return passageOfPage(page, { start, end, headings, anchor }, ranked)
}
