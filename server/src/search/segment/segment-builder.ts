import { declaredName } from '#search/analyse/declared-name.ts'
import { scanDefinedNames } from '#search/analyse/defined-names.ts'
import type { Chunk, IndexPage } from '#search/page.ts'
import { anchorChecksum } from './anchor-checksum.ts'
import { ByteWriter } from './byte-writer.ts'
import { chunkByte, pageByte } from './field-codes.ts'
import { lengthCode } from './length-code.ts'
import { PAGE_FIELDS, type PageField } from './layout.ts'
import { pathWords } from './path-words.ts'
import { PostingsLog } from './postings-log.ts'
import { readChunk } from './read-chunk.ts'
import { codeSetOf, SegmentTables } from './segment-tables.ts'
import { SimHash } from './simhash.ts'
import { TermCounts } from './term-counts.ts'
import { type CountedWord, Vocabulary } from './vocabulary.ts'
import { markOfHash } from './word-mark.ts'

/** Counters of a term in a chunk. */
const BODY = 1
const CODE = 2
const HEADING = 3
const PART = 4
/** Counters of a term on a page. */
const TITLE = 1
const HEADINGS = 2
const ANCHORS = 3
const PATH = 4
const TITLE_PART = 5

/** Maximum link texts indexed per page. The first ones cover the vocabulary of hundreds of links. */
export const MAX_ANCHOR_TEXTS = 40
/** Weight of code words in the length of a passage. They are about half as informative as prose. */
const CODE_LENGTH = 0.5

/** Builds a segment from pages. Working memory is about ten bytes per distinct word of a passage. */
export class SegmentBuilder {
  readonly #vocabulary = new Vocabulary()
  readonly #tables = new SegmentTables()
  readonly #log = new PostingsLog()
  readonly #chunk = new TermCounts(5)
  readonly #page = new TermCounts(6)
  readonly #simHash = new SimHash()
  readonly #marks = new ByteWriter()

  get pageCount(): number {
    return this.#tables.pageCount
  }

  /** Adds a page. Offsets of its chunks refer to `markdown`. */
  add(page: IndexPage, markdown: string): void {
    const lengths: Record<PageField, number> = { title: 0, headings: 0, anchors: 0, path: 0, text: 0, parts: 0 }
    this.#addPageField(page, page.title, TITLE, lengths, 'title')
    this.#addPageField(page, pathWords(page.url), PATH, lengths, 'path')
    for (const text of page.anchorTexts.slice(0, MAX_ANCHOR_TEXTS))
      this.#addPageField(page, text, ANCHORS, lengths, 'anchors')
    const seen = new Set([page.title])
    for (const chunk of page.chunks) this.#addChunk(page, chunk, markdown, { seen, lengths })
    for (const term of this.#page.touched) {
      const count = (counter: number) => this.#page.get(term, counter)
      const byte = pageByte(count(TITLE), count(HEADINGS), count(ANCHORS), count(PATH) > 0, count(TITLE_PART) > 0)
      if (byte !== 0) this.#log.page(term, this.#tables.pageCount, byte)
    }
    this.#page.clear()
    this.#tables.addPage(page, {
      language: page.language,
      lengths: PAGE_FIELDS.map((field) => lengthCode(lengths[field])),
      anchors: anchorChecksum(page.anchorTexts),
    })
  }

  /** Returns the bytes of the segment. The builder must not be used afterwards. */
  finish(): Uint8Array<ArrayBuffer> {
    return this.#tables.finish({
      forms: [...this.#vocabulary.forms],
      terms: this.#log.write(this.#vocabulary.terms(), this.#tables.pageChunks()),
    })
  }

  #addPageField(
    { language }: IndexPage,
    text: string,
    counter: number,
    lengths: Record<PageField, number>,
    field: PageField,
  ): void {
    this.#vocabulary.scan(language, text, [0, text.length], (word) => {
      if (word.term >= 0) this.#page.add(word.term, counter)
      for (const term of word.joined) this.#page.add(term, counter)
      for (const part of word.parts) this.#page.add(part, counter === PATH ? PATH : TITLE_PART)
      lengths[field] += word.telling
    })
  }

  #addChunk(
    page: IndexPage,
    chunk: Chunk,
    markdown: string,
    { seen, lengths }: { seen: Set<string>; lengths: Record<PageField, number> },
  ): void {
    const { language } = page
    const counts = this.#chunk
    const length = { body: 0, code: 0, headings: 0, parts: 0 }
    this.#marks.clear()

    const count = (word: CountedWord, counter: number) => {
      if (word.term >= 0) counts.add(word.term, counter)
      for (const term of word.joined) counts.add(term, counter)
      for (const part of word.parts) counts.add(part, PART)
      length.parts += word.parts.length
      if (counter === BODY)
        for (const term of word.order) this.#marks.byte(markOfHash(this.#vocabulary.hashes[term * 2]))
    }
    const addHeading = (heading: string, level: number) => {
      // The subject of a declaration is its name. Its types only count as text.
      const text = declaredName(heading) ?? heading
      const isNew = level === 2 && !seen.has(text)
      if (isNew) seen.add(text)
      let words = 0
      this.#vocabulary.scan(language, text, [0, text.length], (word) => {
        const terms = word.term >= 0 ? [word.term, ...word.joined] : word.joined
        for (const term of terms) counts.raise(term, HEADING, level)
        words += word.telling
        if (!isNew) return
        for (const term of terms) this.#page.add(term, HEADINGS)
        for (const part of word.parts) this.#page.add(part, TITLE_PART)
        lengths.headings += word.telling
      })
      // Use the longest of several headings, because a question rarely means more than one.
      if (level === 2) length.headings = Math.max(length.headings, words, 1)
    }

    const own = new Set<string>()
    readChunk(markdown, chunk, {
      body: (start, end) =>
        this.#vocabulary.scan(language, markdown, [start, end], (word) => {
          length.body += 1
          count(word, BODY)
        }),
      code: (start, end) =>
        this.#vocabulary.scan(language, markdown, [start, end], (word) => {
          length.code += 1
          count(word, CODE)
        }),
      heading: (start, end) => own.add(markdown.slice(start, end).trim()),
    })
    const last = chunk.headings.at(-1)
    if (last !== undefined && own.size === 0) own.add(last)
    own.delete(page.title)
    for (const heading of own) addHeading(heading, 2)
    for (const heading of chunk.headings) if (!own.has(heading)) addHeading(heading, 1)

    // Names defined in code indicate the topic of a passage, like a heading in prose.
    scanDefinedNames(markdown.slice(chunk.start, chunk.end), chunk.start, (start, end) => {
      this.#vocabulary.scan(language, markdown, [start, end], (word) => {
        const terms = word.term >= 0 ? [word.term, ...word.parts] : word.parts
        for (const term of terms) {
          counts.raise(term, HEADING, 1)
          this.#page.add(term, HEADINGS)
        }
        lengths.headings += 1
      })
    })

    this.#logChunk()
    const words = Math.round(length.body + CODE_LENGTH * length.code)
    lengths.text += words
    lengths.parts += length.parts
    this.#tables.addChunk({
      length: lengthCode(words),
      headingWords: length.headings,
      codeSet: codeSetOf(chunk),
      low: this.#simHash.low,
      high: this.#simHash.high,
      marks: this.#marks.view(),
    })
  }

  #logChunk(): void {
    const counts = this.#chunk
    for (const term of counts.touched) {
      const heading = counts.get(term, HEADING)
      this.#log.chunk(
        term,
        this.#tables.chunkCount,
        chunkByte(counts.get(term, BODY), counts.get(term, CODE), heading, counts.get(term, PART) > 0),
      )
      this.#simHash.add(this.#vocabulary.hashes[term * 2], this.#vocabulary.hashes[term * 2 + 1])
    }
    this.#simHash.finish(counts.touched.length)
    counts.clear()
  }
}
