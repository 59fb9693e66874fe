import { setImmediate as nextTurn } from 'node:timers/promises'
import { createTurnTaker } from '#lib/turn-taker.ts'
import { linksOf } from '#search/outline.ts'
import type { Db } from '#store/db.ts'
import { listNavigationTexts, listOutlines } from '#store/anchor-texts.ts'
import type { LinkText } from './link-texts.ts'

/** Different texts that are kept of the links to one page, and how many are given for it, repeated ones included. */
const MAX_TEXTS = 12
const MAX_GIVEN = 40
/** Times that a text is given which so many pages link with, or more. */
const MAX_REPEATS = 8
/** Different texts that are counted: for one page, and for all of a source together. */
const MAX_COUNTED = 64
const MAX_COUNTED_IN_ALL = 1_000_000
/** Outlines read at once: requests wait meanwhile. */
const BATCH = 50

/**
 * What other pages of the source call each page, by its address: texts of links in their own text, that of most pages
 * first and repeated as often as pages have it, then those of navigation.
 */
export async function gatherAnchorTexts(db: Db, sourceId: string, signal: AbortSignal): Promise<Map<string, string[]>> {
  const counts = createCounts()
  for (let afterId = 0; ;) {
    const rows = await listOutlines(db, sourceId, { afterId, limit: BATCH })
    for (const { outline } of rows) for (const link of linksOf(outline)) counts.add(link)
    afterId = rows.at(-1)?.id ?? afterId
    if (rows.length < BATCH) break
    signal.throwIfAborted()
    await nextTurn()
  }
  const texts = new Map<string, string[]>()
  const turns = createTurnTaker()
  for (const { url, anchorTexts } of await listNavigationTexts(db, sourceId)) {
    const given = counts.textsOf(url, JSON.parse(anchorTexts ?? '[]') as string[])
    if (given.length > 0) texts.set(url, given)
    if (turns.due()) await turns.turn()
  }
  return texts
}

/** Counts texts of links by the page that they lead to. */
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
    /** Different texts first, so that none is lost to the repetitions of another. */
    textsOf(url: string, navigation: readonly string[]): string[] {
      const sorted = [...(byUrl.get(url) ?? [])].toSorted(([, a], [, b]) => b - a).slice(0, MAX_TEXTS)
      const own = sorted.map(([text]) => text)
      const further = navigation.filter((text) => !own.includes(text)).slice(0, MAX_TEXTS - own.length)
      const repeated = sorted.flatMap(([text, count]) => Array<string>(Math.min(count, MAX_REPEATS) - 1).fill(text))
      return [...own, ...further, ...repeated].slice(0, MAX_GIVEN)
    },
  }
}
