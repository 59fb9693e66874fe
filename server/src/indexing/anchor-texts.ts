import { createYielder } from '#lib/limits/yield-to-event-loop.ts'
import { linksOf } from '#search/outline.ts'
import type { Bytes } from '#store/engine/blobs/blobs.ts'
import { pageTexts } from '#store/pages/packed-texts.ts'
import { listNavigationTexts } from '#store/pages/texts.ts'
import type { LinkText } from '#crawl/found-links.ts'

/** Distinct link texts kept per target page, and the total per page including repeats. */
const MAX_TEXTS = 12
const MAX_GIVEN = 40
/** Repeats of one text per page at most, however many pages link with it. */
const MAX_REPEATS = 8
/** Distinct texts counted per target page, and for the whole source. */
const MAX_COUNTED = 64
const MAX_COUNTED_IN_ALL = 1_000_000
/** Outlines per query: requests wait while a batch is read. */
const BATCH = 50

/** Link texts by target URL: those of page contents first, by frequency and with repeats, then of navigation. */
export async function gatherAnchorTexts(store: Bytes, sourceId: string, signal: AbortSignal) {
  const counts = createCounts()
  for await (const pages of pageTexts(store, sourceId, { batch: BATCH })) {
    for (const { outline } of pages) for (const link of linksOf(outline)) counts.add(link)
    signal.throwIfAborted()
  }
  const texts = new Map<string, string[]>()
  const turns = createYielder()
  for (const { url, anchorTexts } of await listNavigationTexts(store.read, sourceId)) {
    const given = counts.textsOf(url, JSON.parse(anchorTexts ?? '[]') as string[])
    if (given.length > 0) texts.set(url, given)
    if (turns.due()) await turns.turn()
  }
  return texts
}

/** Counts link texts per target page. */
export function createCounts() {
  const byUrl = new Map<string, Map<string, number>>()
  let counted = 0
  return {
    add([url, text]: LinkText): void {
      const texts = byUrl.get(url) ?? new Map<string, number>()
      const count = texts.get(text)
      if (count === undefined && (texts.size >= MAX_COUNTED || counted >= MAX_COUNTED_IN_ALL)) return
      if (count === undefined) counted += 1
      texts.set(text, (count ?? 0) + 1)
      byUrl.set(url, texts)
    },
    /** Lists distinct texts before repeats, so that repeats of one text cannot crowd out another. */
    textsOf(url: string, navigation: readonly string[]): string[] {
      const sorted = [...(byUrl.get(url) ?? [])].toSorted(([, a], [, b]) => b - a).slice(0, MAX_TEXTS)
      const own = sorted.map(([text]) => text)
      const further = navigation.filter((text) => !own.includes(text)).slice(0, MAX_TEXTS - own.length)
      const repeated = sorted.flatMap(([text, count]) => Array<string>(Math.min(count, MAX_REPEATS) - 1).fill(text))
      return [...own, ...further, ...repeated].slice(0, MAX_GIVEN)
    },
  }
}
