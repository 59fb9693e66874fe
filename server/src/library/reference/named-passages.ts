import { sectionAddress } from '#lib/addresses/page-address.ts'
import type { Passage } from '#search/passage.ts'
import type { Library } from '../library.ts'
import { chunksOf } from '../library-page.ts'

/** Qualified names with at least two parts: `Thread.sleep`, `Vec::drain`, `rope->cut()`. */
const MEMBER = /(?<![\w$./:@-]|[\w$]#|->|[:.#>]~)[a-z_$][\w$]*(?:(?:\.|::|#|->)~?[\w$]+)+(?![\w$/@-])/gi
/** A question with more names is of another kind, and further overloads repeat the first. */
const MOST_NAMES = 2
const MOST_PLACES = 2

/**
 * Passages about the qualified members named in a question, if a reference has them. They are the topic, even if other
 * passages mention the member more often. Every passage gets `score`.
 */
export async function namedPassages(library: Library, question: string, score: number): Promise<Passage[]> {
  const names = new Set([...question.matchAll(MEMBER)].map(([name]) => name))
  const passages: Passage[] = []
  for (const name of [...names].slice(0, MOST_NAMES)) {
    const last = name.split(/\.|::|#|->/).at(-1) ?? name
    const places = (await library.members(name)).slice(0, MOST_PLACES)
    const pages = await library.open(places.map(({ page }) => page))
    for (const [at, { offset }] of places.entries()) {
      const page = pages[at]
      const chunk = page && chunksOf(page).find(({ start }) => start === offset)
      // A page about `vec::Drain` does not describe `Vec::drain`.
      if (!page || !chunk?.headings.at(-1)?.includes(last)) continue
      passages.push({
        rank: passages.length + 1,
        score,
        title: page.title,
        heading: chunk.headings.join(' › '),
        url: sectionAddress(page.url, chunk.anchor),
        sourceId: page.sourceId,
        type: page.type,
        passage: page.markdown.slice(chunk.start, chunk.end),
        code: chunk.code.map(({ language, start, end }) => ({ language, text: page.markdown.slice(start, end) })),
      })
    }
  }
  return passages
}
