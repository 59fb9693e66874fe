import { createWordAnalyser, type WordAnalyser } from '#search/analyse/word-analyser.ts'
import { bodyCount, codeCount, headingLevel } from '#search/segment/field-codes.ts'
import type { Mentions, Segment } from '#search/segment/open-segment.ts'
import { readPostingsHeader, visitPostings } from '#search/segment/postings-reader.ts'
import { scanWords } from '#search/analyse/scan-words.ts'
import { isCompound } from '#search/analyse/split-identifier.ts'

/** Maximum share and number of pages with a name. A more frequent one is an ordinary word. */
const MAX_SHARE = 0.1
const MAX_PAGES = 300
/**
 * Maximum mentions kept per page, the first ones. Complete lists have more, and a hostile page could mention every
 * page.
 */
const MAX_NAMED = 100

/**
 * Finds mentions between pages: titles that are names, in the text or code of other pages. The page numbers of the
 * segment must fit into 16 bits.
 */
export function findMentions(segment: Segment): Mentions {
  const { pageCount, postings, terms } = segment
  const lists = Array.from({ length: pageCount }, (): number[] => [])
  const rarity = new Uint8Array(pageCount)
  const analysers = new Map<string, WordAnalyser>()
  for (let page = 0; page < pageCount; page++) {
    const language = segment.language(segment.pageLanguages[page])
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
        // A part of an identifier names something else.
        if (bodyCount(byte) + codeCount(byte) + headingLevel(byte) === 0 || current === page) return
        const list = lists[current]
        if (list !== undefined && list.length < MAX_NAMED && list.at(-1) !== page) list.push(page)
      },
    })
  }
  const offsets = new Uint32Array(pageCount + 1)
  for (const [page, list] of lists.entries()) offsets[page + 1] = offsets[page] + list.length
  return { offsets, named: Uint16Array.from(lists.flat()), rarity }
}

/** Minimum characters. Shorter names occur in almost every text. */
const LEAST_LETTERS = 3

/**
 * The term by which other pages mention a page: the only identifier in its title (`class: BrowserContext`), or the last
 * part of a dotted one. Null if the title has none or several. A plain word is ambiguous.
 */
export function pageName(title: string, analyse: WordAnalyser): string | null {
  const words: string[] = []
  scanWords(title, 0, title.length, (start, end) => words.push(title.slice(start, end)))
  const names = words.filter((word) => word.includes('.') || isCompound(word))
  const [name] = names
  if (name === undefined || names.length > 1) return null
  const last = name.split('.').findLast((part) => /\p{L}/u.test(part)) ?? name
  const { term } = analyse(last)
  return term.length < LEAST_LETTERS ? null : term
}
