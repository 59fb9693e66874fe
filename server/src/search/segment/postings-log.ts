import { ByteWriter, GrowingWords } from './bytes.ts'
import { DictionaryWriter, sortKeys } from './dictionary.ts'
import { PostingsWriter } from './postings.ts'

export type WrittenPostings = { blocks: Uint32Array; keys: Uint8Array; postings: Uint8Array }

/** Log of occurrences in scan order, page by page. Sorted by term at the end. */
export class PostingsLog {
  /** By chunk, numbered within the segment. */
  readonly chunks = new OccurrenceLog()
  readonly pages = new OccurrenceLog()

  /** Writes the dictionary and the postings of `terms`, indexed by their logged numbers. */
  write(terms: readonly string[], pageChunks: Uint32Array): WrittenPostings {
    const chunks = this.chunks.byTerm(terms.length)
    const pages = this.pages.byTerm(terms.length)
    const ids = new Map(terms.map((term, id) => [term, id]))
    const dictionary = new DictionaryWriter()
    const writer = new PostingsWriter(pageChunks)
    const out = new ByteWriter(1 << 16)
    for (const term of sortKeys([...terms])) {
      const id = ids.get(term) ?? 0
      replay(writer, pageChunks, occurrences(pages, id), occurrences(chunks, id))
      const length = writer.finish(out)
      // Skip a term without occurrences: it was only part of something unindexed.
      if (length > 0) dictionary.add(term, length)
    }
    return { ...dictionary.finish(), postings: out.view() }
  }
}

type Sorted = { starts: Uint32Array; places: Uint32Array; bytes: Uint8Array }
type Occurrences = { places: Uint32Array; bytes: Uint8Array }

/** Log of terms at places (pages or chunks), each with a byte. */
class OccurrenceLog {
  readonly #terms = new GrowingWords()
  /** Place and byte in one word: a segment has fewer than 2^24 chunks. */
  readonly #places = new GrowingWords()

  add(term: number, place: number, byte: number): void {
    this.#terms.push(term)
    this.#places.push(((place << 8) | byte) >>> 0)
  }

  /** Counting sort by term. Stable within each term. */
  byTerm(termCount: number): Sorted {
    const terms = this.#terms.view()
    const logged = this.#places.view()
    const starts = new Uint32Array(termCount + 2)
    for (const term of terms) starts[term + 2] += 1
    for (let term = 2; term < starts.length; term++) starts[term] += starts[term - 1]
    const places = new Uint32Array(terms.length)
    const bytes = new Uint8Array(terms.length)
    for (let at = 0; at < terms.length; at++) {
      const slot = terms[at] + 1
      const to = starts[slot]
      starts[slot] = to + 1
      places[to] = logged[at] >>> 8
      bytes[to] = logged[at] & 255
    }
    return { starts, places, bytes }
  }
}

function occurrences({ starts, places, bytes }: Sorted, term: number): Occurrences {
  const from = starts[term]
  const to = starts[term + 1] ?? from
  return { places: places.subarray(from, to), bytes: bytes.subarray(from, to) }
}

/** Passes the pages and chunks of one term to the writer, interleaved in page order. */
function replay(writer: PostingsWriter, pageChunks: Uint32Array, pages: Occurrences, chunks: Occurrences): void {
  let chunkAt = 0
  let pageAt = 0
  let page = 0
  while (chunkAt < chunks.places.length || pageAt < pages.places.length) {
    const chunk = chunks.places[chunkAt]
    const fieldPage = pages.places[pageAt] ?? Number.MAX_SAFE_INTEGER
    page = chunk === undefined ? fieldPage : Math.min(fieldPage, pageOfChunk(pageChunks, chunk, page))
    const hasFields = fieldPage === page
    writer.page(page, hasFields ? pages.bytes[pageAt++] : 0)
    const first = pageChunks[page]
    const end = pageChunks[page + 1] ?? first
    for (; (chunks.places[chunkAt] ?? end) < end; chunkAt++)
      writer.chunk(chunks.places[chunkAt] - first, chunks.bytes[chunkAt])
  }
}

/** The page of a chunk: the last page, from page `from` on, that starts at or before it. */
export function pageOfChunk(pageChunks: Uint32Array, chunk: number, from = 0): number {
  return firstFrom(pageChunks, chunk + 1, from + 1, pageChunks.length - 1) - 1
}

/** First index from `low` to `high` with a number of at least `least`, or `high`. Binary search in ascending numbers. */
export function firstFrom(numbers: Uint32Array, least: number, low = 0, high = numbers.length): number {
  while (low < high) {
    const middle = (low + high) >> 1
    if (numbers[middle] < least) low = middle + 1
    else high = middle
  }
  return low
}
