import type { Span } from '#documents/model/document.ts'
import { elementAt } from '#lib/arrays.ts'
import { isBoundaryAt, isDenseAt } from './analyse/scan-words.ts'
import { pageOf, placeOf, type RankedChunk } from './rank/fuse.ts'
import { agreementOf, type Ranking } from './rank/rank.ts'
import type { ChunkPlace, PageHead } from './segment/page-record.ts'
import type { WantedText } from './segment/open-segment.ts'

/** Pages compared. With two or five of them the ranking gains less. */
export const COMPARED = 3
/** Pages whose texts are read: as many as a search shows by default, so that it reads them once. */
export const READ_PAGES = 5
/** Weight in the score. Chosen by leaving out each set in turn; between 0.4 and 0.6 the result hardly differs. */
const WEIGHT = 0.45
/** Added for a passage whose heading has a name of the question. With 1, sets lose whose pages share a name. */
const NAMED = 0.5
/** How many times as much a version counts: the pages of later releases repeat it, and say more of the question. */
const VERSIONED = 2
/** Pages whose headings are read for a version. */
const VERSION_PAGES = 10
const VERSION = /^v?\d+\.\d/
/** A name rather than a word: `journal_mode`, `3.38.0`. */
const NAME = /[\p{L}\p{N}][_.]+[\p{L}\p{N}]/u
/** Occurrences at which a word counts half, as `k1` of BM25. A first occurrence says far more than further ones. */
const HALF_AT = 0.2
/** Occurrences counted of a word. Further ones would add 1 percent. */
const MAX_OCCURRENCES = 4
/** Characters read of a passage. Nearly all are shorter. */
const MAX_CHARS = 4_000
/** Words looked up. A longer question is a log. */
const MAX_WORDS = 32

/** A word of the question in lower case, and its rarity. */
type WrittenWord = { form: string; rarity: number }

type Texts = (wanted: readonly WantedText[]) => Promise<Map<string, string>>

/** A ranking with the texts that it was made with: Markdown of pages by hash. */
export type ReadRanking = Ranking & { texts: ReadonlyMap<string, string> }

/**
 * Prefers, on the best pages, the passages that have the words of the question as it writes them. The index has stems
 * only, which are the same for `printing` and `printer`, so this reads the texts. Also prefers passages below a heading
 * with a name of the question: it is their subject. Pages after the best keep their places. Adds the features to the
 * passages of `ranking`.
 */
export async function preferWordsAsWritten(ranking: Ranking, texts: Texts): Promise<ReadRanking> {
  const chunks = [...ranking.chunks]
  if (chunks.length < 2 || ranking.words.length === 0) return { ...ranking, texts: new Map() }
  const words = wordsAsWritten(ranking.words)
  const names = words.filter(({ form }) => NAME.test(form)).map(({ form }) => form)
  const pages = readHeads(chunks, names.some((name) => VERSION.test(name)) ? VERSION_PAGES : READ_PAGES)
  const read = pages.slice(0, READ_PAGES)
  const found = await texts(read.map(({ sourceId, head: { textHash } }) => ({ sourceId, textHash })))
  const scored = pages.flatMap(({ places, head }, rank) => {
    const best = elementAt(chunks, elementAt(places, 0)).score
    return places.map((at) => {
      const ranked = elementAt(chunks, at)
      const { part, page, chunk, score } = ranked
      const named = names.length > 0 ? namedIn(head.title, placeOf(ranked), names) : 0
      // A passage that cannot lead its page is not compared.
      const canLead = rank < COMPARED && score + WEIGHT + NAMED * named > best
      const markdown = canLead ? found.get(head.textHash) : undefined
      const written =
        markdown === undefined
          ? null
          : scoreAsWritten(words, searchedText(head.title, markdown, part.segment.span(page, chunk)))
      return { at, head, written, named }
    })
  })
  // Relative to the least score, so that scores remain comparable with those of pages that are not compared.
  const least = scored.reduce((lowest, { written }) => Math.min(lowest, written ?? 1), 1)
  for (const { at, head, written, named } of scored) {
    const { part, page, chunk, score, features, place } = elementAt(chunks, at)
    features.asWritten = (written ?? least) - least
    features.named = named
    const added = WEIGHT * features.asWritten + NAMED * named
    chunks[at] = { part, page, chunk, score: score + added, features, head, place }
  }
  chunks.sort((a, b) => b.score - a.score)
  return { ...ranking, chunks, agreement: agreementOf(chunks), texts: found }
}

/** The best pages, best first, with the places of their passages in the ranking. */
function readHeads(chunks: readonly RankedChunk[], most: number) {
  const pages: { number: number; sourceId: string; head: PageHead; places: number[] }[] = []
  for (const [place, ranked] of chunks.entries()) {
    const { part, page } = ranked
    const number = pageOf(ranked)
    const known = pages.find((one) => one.number === number)
    if (known) known.places.push(place)
    else if (pages.length < most)
      pages.push({ number, sourceId: part.sourceId, head: part.segment.head(page), places: [place] })
  }
  return pages
}

export function wordsAsWritten(words: Ranking['words']): WrittenWord[] {
  return words.slice(0, MAX_WORDS).map(({ word, share }) => ({ form: word.toLowerCase(), rarity: -Math.log(share) }))
}

/** 1 if the heading of a passage, or the title of its page for one without, has one of the names, more for a version. */
function namedIn(title: string, { headings }: ChunkPlace, names: readonly string[]): number {
  const heading = (headings.at(-1) ?? title).toLowerCase()
  const own = heading.split(/[\s()[\],:]/)
  // `3.2` is no name of 3.2.9.
  if (names.some((name) => VERSION.test(name) && own.includes(name))) return VERSIONED
  return names.some((name) => !VERSION.test(name) && countWord(heading, name) > 0) ? 1 : 0
}

/** Title and text of a passage in lower case. The text includes the heading. */
function searchedText(title: string, markdown: string, { start, end }: Span): string {
  return `${title}\n${markdown.slice(start, Math.min(end, start + MAX_CHARS))}`.toLowerCase()
}

/** Mean, weighted by rarity, of how often a text has each word, 0 to 1. Further occurrences add less, as in BM25. */
export function scoreAsWritten(words: readonly WrittenWord[], text: string): number {
  let total = 0
  let found = 0
  for (const { form, rarity } of words) {
    const count = countWord(text, form)
    total += rarity
    found += (rarity * count) / (count + HALF_AT)
  }
  return total === 0 ? 0 : found / total
}

export function countWord(text: string, word: string): number {
  const isOpen = isDenseAt(word, 0)
  const isEndOpen = isDenseAt(word, word.length - 1)
  let count = 0
  for (let at = text.indexOf(word); at >= 0 && count < MAX_OCCURRENCES; at = text.indexOf(word, at + 1))
    if ((isOpen || isBoundaryAt(text, at - 1)) && (isEndOpen || isBoundaryAt(text, at + word.length))) count++
  return count
}
