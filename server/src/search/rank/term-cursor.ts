import { PLAIN, TITLE_LEVELS, HEADINGS_LEVELS, ANCHORS_LEVELS } from '#search/segment/field-codes.ts'
import { FIELD_COUNT } from '#search/segment/layout.ts'
import { FIELD_BIT, WINDOW_BITS } from '#search/segment/postings-format.ts'
import { readPostingsHeader } from '#search/segment/postings-reader.ts'
import type { Weights } from '#search/weights.ts'
import { Accumulators } from './accumulators.ts'
import type { CorpusPart } from './corpus.ts'
import type { Frequencies, LengthNorm, Norms } from './norms.ts'
import { KNOWN_WORDS } from './word-order.ts'

/** A term of the question with what one occurrence of it is worth. */
export type TermValue = {
  /** Number of its word in the question, counted from 1. */
  slot: number
  /** Weight of its word. */
  weight: number
  chunkIdf: number
  /** Inverse document frequency × weight, by field of the page in the order of `PAGE_FIELDS`. */
  fields: readonly number[]
}

/** What is the same for all terms of a question. */
export type Scoring = { norms: Norms; frequencies: Frequencies; weights: Weights }

/** Numbers of fields, as `PAGE_FIELDS` has them. */
const FIELD = { title: 0, headings: 1, anchors: 2, path: 3, text: 4, parts: 5 } as const

/** A part of an identifier in a title counts like two passages that have it. */
const TITLE_PARTS = 2

/** Stands in where postings are only passed over. */
const NOWHERE = new Accumulators()

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
  readonly #scoring: Scoring
  /** Of the field that nearly every page has: lengths, and the worth of an occurrence before saturation and beyond. */
  readonly #textLengths: Uint8Array
  readonly #textNorms: LengthNorm
  readonly #textValue: number
  readonly #textFloor: number
  readonly value: TermValue
  #at: number
  #next = 0
  #windowEnd = 0
  /** Window of the next entry, or `DONE`. */
  window = 0
  chunkBound = 0
  pageBound = 0

  constructor(part: CorpusPart, { start, end }: { start: number; end: number }, value: TermValue, scoring: Scoring) {
    this.#bytes = part.segment.postings
    this.#end = Math.min(end, this.#bytes.length)
    this.#part = part
    this.#scoring = scoring
    this.value = value
    const { pageLengths, pageCount } = part.segment
    const { k1, delta } = scoring.weights.page
    this.#textLengths = pageLengths.subarray(FIELD.text * pageCount, (FIELD.text + 1) * pageCount)
    this.#textNorms = scoring.norms.page[FIELD.text] ?? new Float64Array(256)
    this.#textValue = (value.fields[FIELD.text] ?? 0) * (k1 + 1)
    this.#textFloor = (value.fields[FIELD.text] ?? 0) * delta
    const header = readPostingsHeader(this.#bytes, start)
    this.#windowed = header.windowed
    this.#at = header.entries
    if (this.#windowed) this.#openWindow()
    else {
      this.#windowEnd = this.#end
      // Rare terms are bound by what the function saturates at.
      this.chunkBound = value.weight * value.chunkIdf * (scoring.weights.chunk.k1 + 1)
      this.pageBound = this.#boundPage(header.present)
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
    const { frequencies, norms } = this.#scoring
    const { chunk: chunkFrequency, text: textFrequency } = frequencies
    const { chunk: chunkNorms, plain } = norms
    const { k1, title: titleWeight } = this.#scoring.weights.chunk
    const { weight, chunkIdf } = this.value
    const { chunkScores, chunkHeadings, bestScores, decays } = into ?? NOWHERE
    const chunkValue = weight * chunkIdf * (k1 + 1)
    const windowed = this.#windowed
    const window = this.window
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
      if (!windowed && page >> WINDOW_BITS !== window) {
        page -= head >>> 2
        at = entryAt
        break
      }
      const fields = head & 2 ? (bytes[at++] ?? 0) : 0
      const titleFrequency = titleWeight * (TITLE_LEVELS[fields & 3] ?? 0)
      let text = 0
      let parts = 0
      let best = 0
      let sum = 0
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
          const to = firstChunk + chunk
          const length = chunkLengths[chunk] ?? 0
          let value: number
          if (where === PLAIN && titleFrequency === 0) value = chunkValue * (plain[length] ?? 0)
          else {
            const frequency = (chunkFrequency[where] ?? 0) + titleFrequency
            value = (chunkValue * frequency) / (frequency + (chunkNorms[length] ?? 0))
          }
          const score = (chunkScores[to] ?? 0) + value
          chunkScores[to] = score
          sum += value
          if (score > best) best = score
          if ((where & 0x60) === 0x40) chunkHeadings[to] = (chunkHeadings[to] ?? 0) + 1
          text += textFrequency[where] ?? 0
          if (where > 127) parts++
        }
      }
      if (into !== null) {
        const to = firstPage + page
        this.#scorePage(into, page, fields, text, parts)
        // Scores only grow, so the greatest on the way is the greatest at the end.
        if (best > (bestScores[to] ?? 0)) bestScores[to] = best
        decays[to] = (decays[to] ?? 0) + sum
      }
      page++
    }
    this.#at = at
    this.#next = page
    if (this.#windowed) this.#openNextWindow()
    else this.#peekFlat()
  }

  // oxlint-disable-next-line max-params -- an object for each page and term would be most of what a question allocates
  #scorePage(into: Accumulators, page: number, fields: number, text: number, parts: number): void {
    const to = this.#part.firstPage + page
    const { slot, weight } = this.value
    let sum = 0
    if (text > 0)
      sum += (this.#textValue * text) / (text + (this.#textNorms[this.#textLengths[page] ?? 0] ?? 0)) + this.#textFloor
    const inParts = parts + (fields > 127 ? TITLE_PARTS : 0)
    if (inParts > 0) sum += this.#field(FIELD.parts, page, inParts)
    if (fields !== 0) sum += this.#scoreFields(into, page, fields)
    into.pageSums[to] = (into.pageSums[to] ?? 0) + sum
    if (into.pageSlots[to] !== slot) {
      into.pageSlots[to] = slot
      if (slot <= KNOWN_WORDS) into.pageWords[to] = (into.pageWords[to] ?? 0) | (1 << (slot - 1))
      into.pageCovers[to] = (into.pageCovers[to] ?? 0) + weight
    }
  }

  /** What the term is worth in the fields that few pages have it in. */
  #scoreFields(into: Accumulators, page: number, fields: number): number {
    const to = this.#part.firstPage + page
    let sum = 0
    const title = TITLE_LEVELS[fields & 3] ?? 0
    if (title > 0) {
      sum += this.#field(FIELD.title, page, title)
      into.titleHits[to] = (into.titleHits[to] ?? 0) + 1
    }
    const headings = HEADINGS_LEVELS[(fields >> 2) & 3] ?? 0
    if (headings > 0) sum += this.#field(FIELD.headings, page, headings)
    const anchors = ANCHORS_LEVELS[(fields >> 4) & 3] ?? 0
    if (anchors > 0) sum += this.#field(FIELD.anchors, page, anchors)
    if (fields & 64) sum += this.#field(FIELD.path, page, 1)
    return sum
  }

  /** BM25+ of the term in one field. */
  #field(field: number, page: number, frequency: number): number {
    const { pageLengths, pageCount } = this.#part.segment
    const { norms, weights } = this.#scoring
    const { k1, delta } = weights.page
    const norm = norms.page[field]
    if (norm === undefined) return 0
    const length = norm[pageLengths[field * pageCount + page] ?? 0] ?? 0
    return (this.value.fields[field] ?? 0) * (((k1 + 1) * frequency) / (frequency + length) + delta)
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
    const { norms, frequencies, weights } = this.#scoring
    const { chunk } = weights
    const frequency =
      (frequencies.chunk[most] ?? 0) + (bits & FIELD_BIT.title ? chunk.title * (TITLE_LEVELS[3] ?? 0) : 0)
    const { weight, chunkIdf } = this.value
    this.chunkBound = (weight * chunkIdf * (chunk.k1 + 1) * frequency) / (frequency + (norms.chunk[shortest] ?? 0))
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
    const { k1, delta } = this.#scoring.weights.page
    let bound = 0
    for (let field = 0; field < FIELD_COUNT; field++)
      if (bits & (1 << field)) bound += (this.value.fields[field] ?? 0) * (k1 + 1 + delta)
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
