import { elementAt } from '#lib/arrays.ts'
import { isBoundaryAt, isDenseAt } from './analyse/scan-words.ts'
import { pageOf, type RankedChunk } from './rank/fuse.ts'
import { agreementOf, type Ranking } from './rank/rank.ts'
import type { PassageRecord } from './segment/page-record.ts'
import type { WantedText } from './segment/open-segment.ts'

/** Pages compared. With two or five of them the ranking gains less. */
export const COMPARED = 3
/** Pages whose texts are read: as many as a search shows by default, so that it reads them once. */
export const READ_PAGES = 5
/** Weight in the score. Chosen by leaving out each set in turn; between 0.4 and 0.6 the result hardly differs. */
const WEIGHT = 0.45
/** Added for a passage whose heading has a name of the question. With 1, sets lose whose pages share a name. */
const NAMED = 0.5
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
  const pages = [...Map.groupBy(chunks.keys(), (place) => pageOf(elementAt(chunks, place))).values()]
  const read = pages.slice(0, READ_PAGES).map((places) => readRecords(chunks, places))
  const wanted = read.flatMap(([best]) => best ?? [])
  const found = await texts(wanted.map(({ sourceId, record: { textHash } }) => ({ sourceId, textHash })))
  const words = wordsAsWritten(ranking.words)
  const names = words.filter(({ form }) => NAME.test(form))
  const scored = read.flatMap((passages, rank) =>
    passages.map((passage) => {
      const markdown = rank < COMPARED ? found.get(passage.record.textHash) : undefined
      const written = markdown === undefined ? null : scoreAsWritten(words, searchedText(passage.record, markdown))
      return { ...passage, written, isNamed: isNamedIn(passage.record, names) }
    }),
  )
  // Relative to the least score, so that scores remain comparable with those of pages that are not compared.
  const least = Math.min(...scored.map(({ written }) => written ?? 1))
  for (const { place, record, written, isNamed } of scored) {
    const { part, page, chunk, score, features } = elementAt(chunks, place)
    features.asWritten = (written ?? least) - least
    features.named = isNamed ? 1 : 0
    const added = WEIGHT * features.asWritten + NAMED * features.named
    chunks[place] = { part, page, chunk, score: score + added, features, record }
  }
  chunks.sort((a, b) => b.score - a.score)
  return { ...ranking, chunks, agreement: agreementOf(chunks), texts: found }
}

/** The passages of one page with their records, which share what the page has. */
function readRecords(chunks: readonly RankedChunk[], places: readonly number[]) {
  let head: PassageRecord | null = null
  return places.map((place) => {
    const { part, page, chunk } = elementAt(chunks, place)
    head = head ? { ...head, chunk: part.segment.chunk(page, chunk) } : part.segment.passage(page, chunk)
    return { place, sourceId: part.sourceId, record: head }
  })
}

export function wordsAsWritten(words: Ranking['words']): WrittenWord[] {
  return words.slice(0, MAX_WORDS).map(({ word, share }) => ({ form: word.toLowerCase(), rarity: -Math.log(share) }))
}

/** True if the heading of a passage, or the title of its page for one without, has one of the names. */
function isNamedIn({ title, chunk }: PassageRecord, names: readonly WrittenWord[]): boolean {
  if (names.length === 0) return false
  const heading = (chunk.headings.at(-1) ?? title).toLowerCase()
  return names.some(({ form }) => countWord(heading, form) > 0)
}

/** Title and text of a passage in lower case. The text includes the heading. */
function searchedText({ title, chunk }: PassageRecord, markdown: string): string {
  const end = Math.min(chunk.end, chunk.start + MAX_CHARS)
  return `${title}\n${markdown.slice(chunk.start, end)}`.toLowerCase()
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

function countWord(text: string, word: string): number {
  const isOpen = isDenseAt(word, 0)
  const isEndOpen = isDenseAt(word, word.length - 1)
  let count = 0
  for (let at = text.indexOf(word); at >= 0 && count < MAX_OCCURRENCES; at = text.indexOf(word, at + 1))
    if ((isOpen || isBoundaryAt(text, at - 1)) && (isEndOpen || isBoundaryAt(text, at + word.length))) count++
  return count
}
