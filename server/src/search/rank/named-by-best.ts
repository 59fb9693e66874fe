import type { Segment } from '#search/segment/open-segment.ts'

/** Number of top pages whose mentions count. Five and twenty gave worse results. */
const BEST = 10
/** Decay of a mention's weight per rank. */
const FADE = 0.2

type PageOfSegment = { segment: Segment; page: number }

/**
 * Score of each page by mentions in the first pages, 0 to 1, in the given order. Input is best first without this
 * feature. Questions about a reference often use the words of guides and examples that mention its name (`re.sub`), not
 * its own.
 */
export function namedByBest(pages: readonly PageOfSegment[]): number[] {
  const named = new Array<number>(pages.length).fill(0)
  const places = placesOfNames(pages)
  if (places.size === 0) return named
  for (let place = 0; place < Math.min(BEST, pages.length); place++) {
    const { segment, page } = pages[place] ?? {}
    const known = segment && places.get(segment)
    if (known === undefined || page === undefined || !segment?.mentions) continue
    const { mentions } = segment
    const end = Math.min(mentions.offsets[page + 1], mentions.named.length)
    for (let at = mentions.offsets[page]; at < end; at++) {
      const other = mentions.named[at]
      const to = known.get(other)
      if (to !== undefined) named[to] += mentions.rarity[other] / (1 + FADE * place)
    }
  }
  const most = Math.max(0, ...named)
  return named.map((value) => (most === 0 ? 0 : value / most))
}

/** Ranks of the pages that have a name. Few pages have one. */
function placesOfNames(pages: readonly PageOfSegment[]): Map<Segment, Map<number, number>> {
  const places = new Map<Segment, Map<number, number>>()
  for (const [place, { segment, page }] of pages.entries()) {
    if (!segment.mentions?.rarity[page]) continue
    const known = places.get(segment)
    if (known === undefined) places.set(segment, new Map([[page, place]]))
    else known.set(page, place)
  }
  return places
}
