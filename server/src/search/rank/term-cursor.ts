import { PLAIN, TITLE_LEVELS, HEADINGS_LEVELS, ANCHORS_LEVELS } from '#search/segment/field-codes.ts'
import { PAGE_FIELDS, type PageField } from '#search/segment/layout.ts'
import { FIELD_BIT, WINDOW_BITS } from '#search/segment/postings-format.ts'
import { readPostingsHeader } from '#search/segment/postings-reader.ts'
import type { Weights } from '#search/weights.ts'
import type { Accumulators } from './accumulators.ts'
import type { CorpusPart } from './corpus.ts'
import type { Norms } from './norms.ts'

/** A term of the question with what one occurrence of it is worth. */
export type TermValue = {
  /** Number of its word in the question, counted from 1. */
  slot: number
  /** Weight of its word. */
  weight: number
  chunkIdf: number
  /** Inverse document frequency × weight, by field of the page. */
  fieldValues: Record<PageField, number>
}

/** Position that is past every window. */
const DONE = 0xffff_ffff

/**
 * Goes through one term's postings in one segment, window by window, and adds what they are worth to the accumulators.
 * Bounds of a window are never below what scoring it can add to one chunk, or one page.
 */
export class TermCursor {
  readonly #bytes: Uint8Array
  readonly #end: number
  readonly #windowed: boolean
  readonly #part: CorpusPart
  readonly #norms: Norms
  readonly #weights: Weights
  readonly value: TermValue
  readonly #presentBits: number
  #at: number
  #next = 0
  #windowEnd = 0
  /** Window of the next entry, or `DONE`. */
  window = 0
  chunkBound = 0
  pageBound = 0

  constructor(
    part: CorpusPart,
    { start, end }: { start: number; end: number },
    value: TermValue,
    { norms, weights }: { norms: Norms; weights: Weights },
  ) {
    this.#bytes = part.segment.postings
    this.#end = Math.min(end, this.#bytes.length)
    this.#part = part
    this.#norms = norms
    this.#weights = weights
    this.value = value
    const header = readPostingsHeader(this.#bytes, start)
    this.#windowed = header.windowed
    this.#presentBits = PAGE_FIELDS.reduce(
      (bits, field, index) => bits | ((header.stats.fields[index] ?? 0) > 0 ? FIELD_BIT[field] : 0),
      0,
    )
    this.#at = header.entries
    if (this.#windowed) this.#openWindow()
    else {
      this.#windowEnd = this.#end
      // Rare terms are bound by what the function saturates at.
      this.chunkBound = value.weight * value.chunkIdf * (weights.chunk.k1 + 1)
      this.pageBound = this.#boundPage(this.#presentBits)
      this.#peekFlat()
    }
  }

  get done(): boolean {
    return this.window === DONE
  }

  /** Passes over the present window. */
  skip(): void {
    if (this.#windowed) this.#openNextWindow()
    else this.score(null)
  }

  /**
   * Adds the present window to the accumulators (or to nothing), and moves to the next.
   * The loop runs once for each occurrence of each word of every question, hence its length and its plain variables.
   */
  score(into: Accumulators | null): void {
    const bytes = this.#bytes
    const end = this.#windowEnd
    const { firstPage, firstChunk, segment } = this.#part
    const { pageChunks, chunkLengths } = segment
    const { chunk: chunkNorms, chunkFrequency, textFrequency } = this.#norms
    const { k1, title: titleWeight } = this.#weights.chunk
    const { weight, chunkIdf } = this.value
    const chunkValue = weight * chunkIdf * (k1 + 1)
    let at = this.#at
    let page = this.#next
    while (at < end) {
      const entryAt = at
      let byte = bytes[at++] ?? 0
      let head = byte & 127
      for (let shift = 7; byte > 127; shift += 7) {
        byte = bytes[at++] ?? 0
        head |= (byte & 127) << shift
      }
      page += head >>> 2
      if (!this.#windowed && page >> WINDOW_BITS !== this.window) {
        page -= head >>> 2
        at = entryAt
        break
      }
      const fields = head & 2 ? (bytes[at++] ?? 0) : 0
      const titleFrequency = titleWeight * (TITLE_LEVELS[fields & 3] ?? 0)
      let text = 0
      let parts = 0
      if (head & 1) {
        let chunk = pageChunks[page] ?? 0
        for (let last = 0; last === 0 && at < end; chunk++) {
          byte = bytes[at++] ?? 0
          let entry = byte & 127
          for (let shift = 7; byte > 127; shift += 7) {
            byte = bytes[at++] ?? 0
            entry |= (byte & 127) << shift
          }
          chunk += entry >>> 2
          last = entry & 2
          const where = entry & 1 ? PLAIN : (bytes[at++] ?? 0)
          if (into === null) continue
          const frequency = (chunkFrequency[where] ?? 0) + titleFrequency
          const norm = chunkNorms[chunkLengths[chunk] ?? 0] ?? 1
          const to = firstChunk + chunk
          into.chunkScores[to] = (into.chunkScores[to] ?? 0) + (chunkValue * frequency) / (frequency + norm)
          if ((where & 0x60) === 0x40) into.chunkHeadings[to] = (into.chunkHeadings[to] ?? 0) + 1
          text += textFrequency[where] ?? 0
          if (where > 127) parts++
        }
      }
      if (into !== null) this.#scorePage(into, firstPage + page, page, { fields, text, parts })
      page++
    }
    this.#at = at
    this.#next = page
    if (this.#windowed) this.#openNextWindow()
    else this.#peekFlat()
  }

  #scorePage(
    into: Accumulators,
    to: number,
    page: number,
    { fields, text, parts }: { fields: number; text: number; parts: number },
  ): void {
    const { slot, weight, fieldValues } = this.value
    const { pageLengths, pageCount } = this.#part.segment
    const norms = this.#norms.page
    const { k1, delta } = this.#weights.page
    const add = (value: number, frequency: number, norm: number) =>
      value * (((k1 + 1) * frequency) / (frequency + norm) + delta)
    let sum = 0
    if (text > 0) sum += add(fieldValues.text, text, norms.text[pageLengths[4 * pageCount + page] ?? 0] ?? 1)
    const inParts = parts + (fields >> 7) * 2
    if (inParts > 0) sum += add(fieldValues.parts, inParts, norms.parts[pageLengths[5 * pageCount + page] ?? 0] ?? 1)
    const title = TITLE_LEVELS[fields & 3] ?? 0
    if (title > 0) {
      sum += add(fieldValues.title, title, norms.title[pageLengths[page] ?? 0] ?? 1)
      into.titleHits[to] = (into.titleHits[to] ?? 0) + 1
    }
    const headings = HEADINGS_LEVELS[(fields >> 2) & 3] ?? 0
    if (headings > 0)
      sum += add(fieldValues.headings, headings, norms.headings[pageLengths[pageCount + page] ?? 0] ?? 1)
    const anchors = ANCHORS_LEVELS[(fields >> 4) & 3] ?? 0
    if (anchors > 0)
      sum += add(fieldValues.anchors, anchors, norms.anchors[pageLengths[2 * pageCount + page] ?? 0] ?? 1)
    if (fields & 64) sum += add(fieldValues.path, 1, norms.path[pageLengths[3 * pageCount + page] ?? 0] ?? 1)
    into.pageSums[to] = (into.pageSums[to] ?? 0) + sum
    if (into.pageSlots[to] !== slot) {
      into.pageSlots[to] = slot
      into.pageCovers[to] = (into.pageCovers[to] ?? 0) + weight
    }
  }

  #openNextWindow(): void {
    this.#at = this.#windowEnd
    this.window++
    this.#openWindow()
  }

  #openWindow(): void {
    const bytes = this.#bytes
    if (this.#at >= this.#end) {
      this.window = DONE
      return
    }
    this.window += this.#readVarint()
    const bits = bytes[this.#at++] ?? 0
    const most = bytes[this.#at++] ?? 0
    const shortest = bytes[this.#at++] ?? 0
    const length = this.#readVarint()
    this.#windowEnd = Math.min(this.#at + length, this.#end)
    this.#next = this.window << WINDOW_BITS
    const { chunk } = this.#weights
    const frequency =
      (this.#norms.chunkFrequency[most] ?? 0) + (bits & FIELD_BIT.title ? chunk.title * (TITLE_LEVELS[3] ?? 0) : 0)
    const { weight, chunkIdf } = this.value
    this.chunkBound =
      (weight * chunkIdf * (chunk.k1 + 1) * frequency) / (frequency + (this.#norms.chunk[shortest] ?? 0))
    this.pageBound = this.#boundPage(bits)
  }

  #peekFlat(): void {
    if (this.#at >= this.#end) {
      this.window = DONE
      return
    }
    const at = this.#at
    this.window = (this.#next + (this.#readVarint() >>> 2)) >> WINDOW_BITS
    this.#at = at
  }

  #boundPage(bits: number): number {
    const { k1, delta } = this.#weights.page
    let bound = 0
    for (const field of PAGE_FIELDS)
      if (bits & FIELD_BIT[field]) bound += this.value.fieldValues[field] * (k1 + 1 + delta)
    return bound
  }

  #readVarint(): number {
    let value = 0
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.#bytes[this.#at++] ?? 0
      value |= (byte & 127) << shift
      if (byte < 128) break
    }
    return value >>> 0
  }
}
