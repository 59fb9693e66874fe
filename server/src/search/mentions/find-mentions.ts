import { createWordAnalyser, type WordAnalyser } from '#search/analyse/word-analyser.ts'
import { bodyCount, codeCount, headingLevel } from '#search/segment/field-codes.ts'
import type { Mentions, Segment } from '#search/segment/open-segment.ts'
import { readPostingsHeader, visitPostings } from '#search/segment/postings-reader.ts'
import { pageName } from './page-name.ts'

/** A name on a greater share of the pages, or on more of them, is a word like others. */
const MAX_SHARE = 0.1
const MAX_PAGES = 300
/** Pages that one page names, the first ones; lists of everything name more, and a hostile page could name all. */
const MAX_NAMED = 100

/**
 * Finds where pages name each other: by titles that are names, in the text or the code of other pages. The segment must
 * have no more pages than 16 bits can count.
 */
export function findMentions(segment: Segment): Mentions {
  const { pageCount, postings, terms } = segment
  const lists = Array.from({ length: pageCount }, (): number[] => [])
  const rarity = new Uint8Array(pageCount)
  const analysers = new Map<string, WordAnalyser>()
  for (let page = 0; page < pageCount; page++) {
    const language = segment.language(segment.pageLanguages[page] ?? 0)
    const analyse = analysers.get(language) ?? createWordAnalyser(language || null)
    analysers.set(language, analyse)
    const name = pageName(segment.head(page).title, analyse)
    const entry = name === null ? null : terms.find(name)
    if (entry === null) continue
    const { pages } = readPostingsHeader(postings, entry.start).stats
    if (pages > Math.min(MAX_PAGES, Math.max(2, pageCount * MAX_SHARE))) continue
    rarity[page] = Math.round(255 * Math.max(0, Math.log(pageCount / pages) / Math.log(pageCount)))
    let current = -1
    visitPostings(segment, entry, {
      page: (on) => (current = on),
      chunk: (_chunk, byte) => {
        // As a part of an identifier it names something else.
        if (bodyCount(byte) + codeCount(byte) + headingLevel(byte) === 0 || current === page) return
        const list = lists[current]
        if (list !== undefined && list.length < MAX_NAMED && list.at(-1) !== page) list.push(page)
      },
    })
  }
  const offsets = new Uint32Array(pageCount + 1)
  for (const [page, list] of lists.entries()) offsets[page + 1] = (offsets[page] ?? 0) + list.length
  return { offsets, named: Uint16Array.from(lists.flat()), rarity }
}
