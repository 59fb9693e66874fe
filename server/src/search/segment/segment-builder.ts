import { declaredName } from '#documents/model/name-key.ts'
import type { Chunk, IndexPage } from '#search/page.ts'
import { OPENING_WORDS, SimHash, TemplateHash, anchorChecksum, markOfHash } from './hashes.ts'
import { ByteWriter } from './bytes.ts'
import { chunkByte, lengthCode, pageByte } from './field-codes.ts'
import { PAGE_FIELDS, type PageField } from './layout.ts'
import { PostingsLog } from './postings-log.ts'
import { readChunk } from './read-chunk.ts'
import { SegmentTables, codeSetOf } from './segment-tables.ts'
import { type CountedWord, TermCounts, Vocabulary } from './vocabulary.ts'
import { decoded } from '#lib/addresses/page-address.ts'

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
const COUNTER = { title: TITLE, anchors: ANCHORS, path: PATH } as const

/** Maximum link texts indexed per page. The first ones cover the vocabulary of hundreds of links. */
export const MAX_ANCHOR_TEXTS = 40

/** Weight of code words in the length of a passage. They are about half as informative as prose. */
const CODE_LENGTH = 0.5

/** Words of a chunk. `headings` are those of its longest heading. */
type ChunkWords = { body: number; code: number; headings: number; parts: number }

type FieldLengths = Record<PageField, number>

/** A page that is being added. */
type PageCount = {
  page: IndexPage
  markdown: string
  /** The title, and the headings counted so far. */
  seen: Set<string>
  /** Words per field. */
  lengths: FieldLengths
  /** Marks of the first content words. */
  opening: number[]
}

/** Builds a segment from pages. Working memory is about ten bytes per distinct word of a passage. */
export class SegmentBuilder {
  readonly #vocabulary = new Vocabulary()
  readonly #tables = new SegmentTables()
  readonly #log = new PostingsLog()
  readonly #chunk = new TermCounts(5)
  readonly #page = new TermCounts(6)
  readonly #simHash = new SimHash()
  readonly #template = new TemplateHash()
  readonly #marks = new ByteWriter()

  /** Adds a page. Offsets of its chunks refer to `markdown`. */
  add(page: IndexPage, markdown: string): void {
    const lengths: FieldLengths = { title: 0, headings: 0, anchors: 0, path: 0, text: 0, parts: 0 }
    this.#addPageField(page, page.title, 'title', lengths)
    this.#addPageField(page, pathWords(page.url), 'path', lengths)
    for (const text of page.anchorTexts.slice(0, MAX_ANCHOR_TEXTS)) this.#addPageField(page, text, 'anchors', lengths)
    const counted: PageCount = { page, markdown, seen: new Set([page.title]), lengths, opening: [] }
    for (const chunk of page.chunks) this.#addChunk(counted, chunk)
    for (const term of this.#page.touched) {
      const count = (counter: number) => this.#page.get(term, counter)
      const byte = pageByte(count(TITLE), count(HEADINGS), count(ANCHORS), count(PATH) > 0, count(TITLE_PART) > 0)
      if (byte !== 0) this.#log.pages.add(term, this.#tables.pageCount, byte)
    }
    this.#page.clear()
    this.#tables.addPage(page, {
      language: page.language,
      version: page.version,
      lengths: PAGE_FIELDS.map((field) => lengthCode(lengths[field])),
      anchors: anchorChecksum(page.anchorTexts),
      opening: counted.opening,
    })
  }

  /** Returns the bytes of the segment. The builder must not be used afterwards. */
  finish(): Uint8Array<ArrayBuffer> {
    const terms = this.#log.write(this.#vocabulary.terms(), this.#tables.pageChunks())
    return this.#tables.finish(terms, [...this.#vocabulary.forms])
  }

  #addPageField({ language }: IndexPage, text: string, field: keyof typeof COUNTER, lengths: FieldLengths): void {
    const counter = COUNTER[field]
    const partCounter = counter === PATH ? PATH : TITLE_PART
    this.#vocabulary.scan(language, text, [0, text.length], (word) => {
      if (word.term >= 0) this.#page.add(word.term, counter)
      for (const term of word.joined) this.#page.add(term, counter)
      for (const part of word.parts) this.#page.add(part, partCounter)
      lengths[field] += word.telling
    })
  }

  #addChunk(page: PageCount, chunk: Chunk): void {
    const words = { body: 0, code: 0, headings: 0, parts: 0 }
    this.#marks.clear()
    const own = this.#addText(page, chunk, words)
    for (const heading of own) this.#addOwnHeading(page, heading, words)
    for (const heading of chunk.headings) if (!own.has(heading)) this.#addOuterHeading(page, heading)
    this.#addDefinedNames(page, chunk)
    this.#logChunk()
    const total = Math.round(words.body + CODE_LENGTH * words.code)
    page.lengths.text += total
    page.lengths.parts += words.parts
    this.#tables.addChunk({
      length: lengthCode(total),
      headingWords: words.headings,
      codeSet: codeSetOf(chunk),
      low: this.#simHash.low,
      high: this.#simHash.high,
      marks: this.#marks.view(),
      template: this.#template.finish(words.code),
    })
  }

  /** Adds the words of a chunk. Returns the chunk's headings without the page's title. */
  #addText({ page, markdown, opening }: PageCount, chunk: Chunk, words: ChunkWords): Set<string> {
    const { language } = page
    const own = new Set<string>()
    readChunk(markdown, chunk, {
      body: (start, end, isPlain) =>
        this.#vocabulary.scan(language, markdown, [start, end], (word) => {
          words.body += 1
          this.#countWord(word, BODY, words)
          if (isPlain && word.isPlain && !this.#isNamed(word.term))
            this.#template.add(this.#vocabulary.hashes[word.term * 2])
          addToOpening(opening, word)
          for (const term of word.order) this.#marks.byte(markOfHash(this.#vocabulary.hashes[term * 2]))
        }),
      code: (start, end) =>
        this.#vocabulary.scan(language, markdown, [start, end], (word) => {
          words.code += 1
          this.#countWord(word, CODE, words)
          addToOpening(opening, word)
        }),
      heading: (start, end) => own.add(markdown.slice(start, end).trim()),
    })
    const last = chunk.headings.at(-1)
    if (last !== undefined && own.size === 0) own.add(last)
    own.delete(page.title)
    return own
  }

  #isNamed(term: number): boolean {
    return this.#page.get(term, TITLE) > 0 || this.#page.get(term, PATH) > 0
  }

  #countWord(word: CountedWord, counter: number, words: ChunkWords): void {
    const counts = this.#chunk
    if (word.term >= 0) counts.add(word.term, counter)
    for (const term of word.joined) counts.add(term, counter)
    for (const part of word.parts) counts.add(part, PART)
    words.parts += word.parts.length
  }

  #addOwnHeading({ page, seen, lengths }: PageCount, heading: string, words: ChunkWords): void {
    const text = headingText(heading)
    const isNew = !seen.has(text)
    if (isNew) seen.add(text)
    let telling = 0
    this.#vocabulary.scan(page.language, text, [0, text.length], (word) => {
      const terms = wholeTerms(word)
      for (const term of terms) this.#chunk.raise(term, HEADING, 2)
      telling += word.telling
      if (!isNew) return
      for (const term of terms) this.#page.add(term, HEADINGS)
      for (const part of word.parts) this.#page.add(part, TITLE_PART)
      lengths.headings += word.telling
    })
    // Use the longest of several headings, because a question rarely means more than one.
    words.headings = Math.max(words.headings, telling, 1)
  }

  #addOuterHeading({ page }: PageCount, heading: string): void {
    const text = headingText(heading)
    this.#vocabulary.scan(page.language, text, [0, text.length], (word) => {
      for (const term of wholeTerms(word)) this.#chunk.raise(term, HEADING, 1)
    })
  }

  /** Names defined in code indicate the topic of a passage, like a heading in prose. */
  #addDefinedNames({ page, markdown, lengths }: PageCount, chunk: Chunk): void {
    scanDefinedNames(markdown.slice(chunk.start, chunk.end), chunk.start, (start, end) => {
      this.#vocabulary.scan(page.language, markdown, [start, end], (word) => {
        const terms = word.term >= 0 ? [word.term, ...word.parts] : word.parts
        for (const term of terms) {
          this.#chunk.raise(term, HEADING, 1)
          this.#page.add(term, HEADINGS)
        }
        lengths.headings += 1
      })
    })
  }

  #logChunk(): void {
    const counts = this.#chunk
    for (const term of counts.touched) {
      const heading = counts.get(term, HEADING)
      this.#log.chunks.add(
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

/** The subject of a declaration is its name. Its types only count as text. */
function headingText(heading: string): string {
  return declaredName(heading) ?? heading
}

function addToOpening(opening: number[], word: CountedWord): void {
  if (opening.length < OPENING_WORDS && word.telling > 0) opening.push(word.opening)
}

/** The terms of a word as a whole, without its parts. */
function wholeTerms({ term, joined }: CountedWord): readonly number[] {
  return term >= 0 ? [term, ...joined] : joined
}

/** The descriptive part of a URL: `https://x.dev/docs/guide/use-proxy.html?a=1` → `docs/guide/use-proxy`. */
function pathWords(url: string): string {
  const path = (URL.parse(url)?.pathname ?? '').replace(/\/(?:index)?(?:\.\w{1,5})?$/, '').replace(/\.[a-z]{1,5}$/i, '')
  return decoded(path)
}

const MODIFIER =
  '(?:export|default|declare|static|async|public|private|protected|internal|final|abstract|sealed|unsafe|extern|const|virtual|override|inline|synchronized|partial|data|pub(?:\\([a-z]{1,9}\\))?)'
const KIND =
  '(?:class|struct|enum|interface|trait|fn|func|fun|def|function|impl|type|object|module|namespace|protocol|macro_rules!)'
/** Lookahead after a defined name. In prose another word would follow. */
const BEHIND = '(?=[ \\t]*(?:[<({[:;=]|$|(?:extends|implements|for|where|is)[ \\t]))'

/** `pub struct Row<T>`, `export class Row extends List {`, `def row(self):`, `func (r *Row) Next() {` */
const BY_KIND = new RegExp(
  `^[ \\t]*(?:${MODIFIER}[ \\t]+){0,6}${KIND}\\*?(?:[ \\t]*<[^>\\n]{0,80}>[ \\t]*|[ \\t]+(?:\\([^)\\n]{0,80}\\)[ \\t]*)?)([\\w$]{2,64})${BEHIND}`,
  'gm',
)
/** `public static List<Row> readRows(`: a method without a keyword. */
const BY_MODIFIER = new RegExp(
  `^[ \\t]*(?:${MODIFIER}[ \\t]+){1,6}(?:[\\w$<>[\\],.?*&:]{1,64}[ \\t]+){0,4}([\\w$]{2,64})[ \\t]*\\(`,
  'gm',
)

/**
 * Finds names of classes, functions, types and methods defined at the start of a line, in the most common programming
 * languages. Calls back with offsets into `text`, increased by `offset`. Repetitions are bounded and stay on one line,
 * so the time is linear in the text length.
 */
export function scanDefinedNames(text: string, offset: number, onName: (start: number, end: number) => void): void {
  const seen = new Set<number>()
  for (const pattern of [BY_KIND, BY_MODIFIER])
    for (const { 0: whole, 1: name = '', index } of text.matchAll(pattern)) {
      const start = offset + index + whole.lastIndexOf(name)
      if (seen.has(start)) continue
      seen.add(start)
      onName(start, start + name.length)
    }
}
