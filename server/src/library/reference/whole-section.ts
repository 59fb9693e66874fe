import { elementAt } from '#lib/element-at.ts'
import { withoutSection } from '#lib/addresses/page-address.ts'
import type { Chunk } from '#search/page.ts'
import type { Passage } from '#search/passage.ts'
import { passageOfPage } from './passage-of-page.ts'
import type { Library } from '../library.ts'
import { chunksOf, isOfApi } from '../library-page.ts'

/** Characters of an extended passage. An answer quotes a quarter of it. */
const MOST = 4_000

/**
 * Extends the best passage to its whole section: a search finds one passage of a section, and the beginning of the
 * section or its details can be in the next one.
 */
export async function withWholeSection(library: Library, passages: readonly Passage[]): Promise<Passage[]> {
  const [best, ...others] = passages
  if (!best) return []
  const page = await library.pageAt(withoutSection(best.url), { sourceId: best.sourceId })
  if (!page || isOfApi(page)) return [...passages]
  const chunk = sectionOf(chunksOf(page), best)
  if (chunk === null) return [...passages]
  const [opened] = await library.open([page])
  if (!opened) return [...passages]
  const whole = { ...best, ...passageOfPage(opened, chunk, best) }
  const isInside = ({ url, start }: Passage) =>
    withoutSection(url) === page.url && start >= chunk.start && start < chunk.end
  return [whole, ...others.filter((other) => !isInside(other))]
}

/** The chunks of one section around a passage as one. Null if there is no other chunk. */
function sectionOf(chunks: readonly Chunk[], { start }: Passage): Chunk | null {
  const at = chunks.findIndex((chunk) => chunk.start === start)
  if (at < 0) return null
  const own = elementAt(chunks, at)
  const path = own.headings.join('\n')
  const isSame = ({ anchor, headings }: Chunk) => anchor === own.anchor && headings.join('\n') === path
  const isBelow = ({ headings }: Chunk) => path !== '' && headings.join('\n').startsWith(`${path}\n`)
  let [from, to] = [at, at]
  for (let index = at - 1; index >= 0; index--) {
    const chunk = elementAt(chunks, index)
    if (!isSame(chunk) || own.end - chunk.start > MOST) break
    from = index
  }
  // Text can go on below a note that has a heading.
  for (let index = at + 1; index < chunks.length; index++) {
    const chunk = elementAt(chunks, index)
    if (!(isSame(chunk) || isBelow(chunk)) || chunk.end - elementAt(chunks, from).start > MOST) break
    if (isSame(chunk)) to = index
  }
  if (from === to) return null
  const parts = chunks.slice(from, to + 1)
  const turns = parts.flatMap((part) => part.turns ?? [])
  return {
    ...elementAt(parts, 0),
    end: elementAt(chunks, to).end,
    ...(turns.length > 0 ? { turns } : {}),
  }
}
