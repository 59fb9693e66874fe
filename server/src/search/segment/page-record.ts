import type { Chunk, CodeBlock, HeadingAbove, Turn } from '#search/page.ts'
import { ByteReader } from './byte-reader.ts'
import type { ByteWriter } from './byte-writer.ts'
import { usualAnchor } from './usual-anchor.ts'

/** Display data of a page: everything not needed for scoring. */
export type PageRecord = { url: string; title: string; textHash: string; chunks: Chunk[] }

/** Tables of strings shared by many pages. */
export type RecordTables<T> = { headings: T; codeLanguages: T; urlPrefix: string }

type ReadTables = RecordTables<(id: number) => string>

/** Display data of one passage. */
export type PassageRecord = Omit<PageRecord, 'chunks'> & { chunk: Chunk }

const HASH_BYTES = 16
/** More than any page has. Bounds loops over damaged bytes. */
const MAX_HEADINGS = 64
const MAX_CODE = 10_000
const MAX_TURNS = 10_000
/** `turns` precedes the number of turns, their offsets and anchors, and then the anchor as without turns. */
const ANCHOR = { none: 0, usual: 1, own: 2, turns: 3 } as const

/** Writes a record: hash, URL without the segment's prefix, title, then each chunk relative to the previous one. */
export function writePageRecord(
  out: ByteWriter,
  record: PageRecord,
  tables: RecordTables<(text: string) => number>,
): void {
  const hash = Buffer.from(record.textHash, 'hex')
  if (hash.length !== HASH_BYTES) throw new TypeError(`A text hash has 32 hex digits, not "${record.textHash}".`)
  out.bytes(hash)
  const within = record.url.startsWith(tables.urlPrefix)
  out.byte(within ? 1 : 0)
  out.text(within ? record.url.slice(tables.urlPrefix.length) : record.url)
  out.text(record.title)
  out.varint(record.chunks.length)
  let end = 0
  for (const chunk of record.chunks) {
    out.varint(chunk.start - end)
    out.varint(chunk.end - chunk.start)
    out.varint(chunk.headings.length)
    for (const heading of chunk.headings) out.varint(tables.headings(heading))
    writeTurns(out, chunk)
    writeAnchor(out, chunk)
    writeAbove(out, chunk)
    writeCode(out, chunk, tables.codeLanguages)
    end = chunk.end
  }
}

function writeTurns(out: ByteWriter, { start, turns = [] }: Chunk): void {
  if (turns.length === 0) return
  out.byte(ANCHOR.turns)
  out.varint(Math.min(turns.length, MAX_TURNS))
  for (const turn of turns.slice(0, MAX_TURNS)) {
    out.varint(turn.start - start)
    out.text(turn.anchor)
  }
}

function writeAnchor(out: ByteWriter, { anchor, headings }: Chunk): void {
  if (anchor === null) return out.byte(ANCHOR.none)
  if (anchor === usualAnchor(headings)) return out.byte(ANCHOR.usual)
  out.byte(ANCHOR.own)
  out.text(anchor)
}

function writeAbove(out: ByteWriter, { start, above = [] }: Chunk): void {
  out.varint(above.length)
  for (const heading of above) {
    out.varint(heading.start - start)
    // Fragments are never empty, so the empty text means none.
    out.text(heading.anchor ?? '')
  }
}

function writeCode(out: ByteWriter, { start, code }: Chunk, languageId: (text: string) => number): void {
  out.varint(code.length)
  let end = start
  for (const block of code) {
    out.varint(block.start - end)
    out.varint(block.end - block.start)
    out.varint(languageId(block.language ?? ''))
    end = block.end
  }
}

/** Reads the output of `writePageRecord`. */
export function readPageRecord(bytes: Uint8Array, at: number, tables: ReadTables): PageRecord {
  const reader = new ByteReader(bytes, at)
  const head = readHead(reader, tables)
  const count = reader.varint()
  const chunks: Chunk[] = []
  while (chunks.length < count && reader.at < bytes.length)
    chunks.push(readChunk(reader, chunks.at(-1)?.end ?? 0, tables))
  return { ...head, chunks }
}

/** Reads a page's record with one chunk, numbered from the page's first. Skips the others. */
export function readPassage(bytes: Uint8Array, at: number, chunk: number, tables: ReadTables): PassageRecord {
  const reader = new ByteReader(bytes, at)
  const head = readHead(reader, tables)
  const count = reader.varint()
  let end = 0
  for (let index = 0; index < Math.min(chunk, count) && reader.at < bytes.length; index++) end = skipChunk(reader, end)
  return { ...head, chunk: readChunk(reader, end, tables) }
}

function readHead(reader: ByteReader, { urlPrefix }: ReadTables): Omit<PageRecord, 'chunks'> {
  const textHash = Buffer.from(reader.bytes(HASH_BYTES)).toString('hex')
  return { textHash, url: readUrl(reader, urlPrefix), title: reader.text() }
}

function readChunk(reader: ByteReader, before: number, tables: ReadTables): Chunk {
  const start = before + reader.varint()
  const end = start + reader.varint()
  const headings: string[] = []
  for (let left = Math.min(reader.varint(), MAX_HEADINGS); left > 0; left--)
    headings.push(tables.headings(reader.varint()))
  const { anchor, turns } = readAnchor(reader, start, headings)
  const above = readAbove(reader, start)
  const code = readCode(reader, start, tables.codeLanguages)
  return {
    start,
    end,
    headings,
    anchor,
    code,
    ...(above.length > 0 ? { above } : {}),
    ...(turns.length > 0 ? { turns } : {}),
  }
}

/** Skips a chunk and returns its end. */
function skipChunk(reader: ByteReader, before: number): number {
  const start = before + reader.varint()
  const end = start + reader.varint()
  for (let left = Math.min(reader.varint(), MAX_HEADINGS); left > 0; left--) reader.varint()
  let kind = reader.byte()
  if (kind === ANCHOR.turns) {
    for (let left = Math.min(reader.varint(), MAX_TURNS); left > 0; left--) {
      reader.varint()
      reader.bytes(reader.varint())
    }
    kind = reader.byte()
  }
  if (kind === ANCHOR.own) reader.bytes(reader.varint())
  for (let left = Math.min(reader.varint(), MAX_HEADINGS); left > 0; left--) {
    reader.varint()
    reader.bytes(reader.varint())
  }
  for (let left = Math.min(reader.varint(), MAX_CODE) * 3; left > 0; left--) reader.varint()
  return end
}

/** Reads the display data of a page without its chunks. */
export function readRecordHead(bytes: Uint8Array, at: number, tables: ReadTables): Omit<PageRecord, 'chunks'> {
  return readHead(new ByteReader(bytes, at), tables)
}

/** Reads only the URL of a record, for filters. */
export function readPageUrl(bytes: Uint8Array, at: number, urlPrefix: string): string {
  return readUrl(new ByteReader(bytes, at + HASH_BYTES), urlPrefix)
}

function readUrl(reader: ByteReader, urlPrefix: string): string {
  return reader.byte() === 1 ? urlPrefix + reader.text() : reader.text()
}

function readAnchor(
  reader: ByteReader,
  chunkStart: number,
  headings: string[],
): { anchor: string | null; turns: Turn[] } {
  const turns: Turn[] = []
  let kind = reader.byte()
  if (kind === ANCHOR.turns) {
    for (let left = Math.min(reader.varint(), MAX_TURNS); left > 0; left--)
      turns.push({ start: chunkStart + reader.varint(), anchor: reader.text() })
    kind = reader.byte()
  }
  if (kind === ANCHOR.none) return { anchor: null, turns }
  return { anchor: kind === ANCHOR.usual ? usualAnchor(headings) : reader.text(), turns }
}

function readAbove(reader: ByteReader, chunkStart: number): HeadingAbove[] {
  const above: HeadingAbove[] = []
  for (let left = Math.min(reader.varint(), MAX_HEADINGS); left > 0; left--)
    above.push({ start: chunkStart + reader.varint(), anchor: reader.text() || null })
  return above
}

function readCode(reader: ByteReader, chunkStart: number, language: (id: number) => string): CodeBlock[] {
  const code: CodeBlock[] = []
  let end = chunkStart
  for (let left = Math.min(reader.varint(), MAX_CODE); left > 0; left--) {
    const start = end + reader.varint()
    end = start + reader.varint()
    code.push({ start, end, language: language(reader.varint()) || null })
  }
  return code
}
