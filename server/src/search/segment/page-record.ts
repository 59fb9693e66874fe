import type { Span } from '#documents/model/document.ts'
import type { Chunk, Turn } from '#search/page.ts'
import { ByteReader, ByteWriter } from './bytes.ts'
import {
  readBlocks,
  type TextIds,
  type Texts,
  usualAnchor,
  writeBlocks,
  readEntries,
  readKeys,
  writeEntries,
} from './block-record.ts'

/** Display data of a page without its passages. */
export type PageHead = { url: string; title: string; textHash: string }

/** Display data of a page: everything not needed for scoring. */
export type PageRecord = PageHead & { chunks: Chunk[] }

/** Tables of a segment, with the text with which its URLs begin. */
type ReadTables = Texts & { urlPrefix: string }

/** Display data of one passage. */
export type PassageRecord = PageHead & { chunk: Chunk }

const HASH_BYTES = 16
/** More than any page has. Bounds loops over damaged bytes. */
const MAX_HEADINGS = 64
const MAX_TURNS = 10_000
/** `turns` precedes the number of turns, their offsets and anchors, and then the anchor as without turns. */
const ANCHOR = { none: 0, usual: 1, own: 2, turns: 3 } as const

/** Writes a record: hash, URL without the segment's prefix, title, then each chunk relative to the previous one. */
export function writePageRecord(out: ByteWriter, record: PageRecord, tables: TextIds & { urlPrefix: string }): void {
  const hash = Buffer.from(record.textHash, 'hex')
  if (hash.length !== HASH_BYTES) throw new TypeError(`A text hash has 32 hex digits, not "${record.textHash}".`)
  out.bytes(hash)
  const within = record.url.startsWith(tables.urlPrefix)
  out.byte(within ? 1 : 0)
  out.text(within ? record.url.slice(tables.urlPrefix.length) : record.url)
  out.text(record.title)
  writeChunks(out, record.chunks, tables)
}

/** Writes chunks, each relative to the previous one. */
export function writeChunks(out: ByteWriter, chunks: readonly Chunk[], tables: TextIds): void {
  out.varint(chunks.length)
  let end = 0
  const structure = new ByteWriter()
  for (const chunk of chunks) {
    out.varint(chunk.start - end)
    out.varint(chunk.end - chunk.start)
    out.varint(chunk.headings.length)
    for (const heading of chunk.headings) out.varint(tables.headings(heading))
    writeTurns(out, chunk)
    writeAnchor(out, chunk)
    structure.clear()
    writeEntries(structure, chunk)
    writeBlocks(structure, chunk, tables)
    out.varint(structure.length)
    out.bytes(structure.view())
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

/** Reads the output of `writePageRecord`. */
export function readPageRecord(bytes: Uint8Array, at: number, tables: ReadTables): PageRecord {
  const reader = new ByteReader(bytes, at)
  return { ...readHead(reader, tables), chunks: readChunks(reader, tables) }
}

/** Reads the output of `writeChunks`. */
export function readChunks(reader: ByteReader, tables: Texts): Chunk[] {
  const count = reader.varint()
  const chunks: Chunk[] = []
  while (chunks.length < count && !reader.isAtEnd) chunks.push(readChunk(reader, chunks.at(-1)?.end ?? 0, tables))
  return chunks
}

/** Where a chunk is on its page. */
export type ChunkPlace = Omit<Chunk, 'blocks' | 'entries'>

/** Pages whose chunks a reader remembers: more than a search reads several chunks of. */
const MOST_KNOWN = 16

/**
 * Creates readers of single chunks, numbered from the page's first. A place takes less time to read than a whole chunk,
 * and a span still less.
 */
export function createChunkReader(bytes: Uint8Array, startOf: (page: number) => number, tables: Texts) {
  const known = new Map<number, number[]>()
  const boundsOf = (page: number) => {
    let bounds = known.get(page)
    if (bounds !== undefined) return bounds
    if (known.size === MOST_KNOWN) known.clear()
    bounds = chunkBounds(bytes, startOf(page))
    known.set(page, bounds)
    return bounds
  }
  const readerAt = (page: number, index: number) => new ByteReader(bytes, boundsOf(page)[index * 2 + 1] ?? bytes.length)
  const span = (page: number, index: number): Span => {
    const reader = readerAt(page, index)
    return readSpan(reader, boundsOf(page)[index * 2] ?? 0)
  }
  const place = (page: number, index: number): ChunkPlace =>
    readPlace(readerAt(page, index), boundsOf(page)[index * 2] ?? 0, tables)
  const chunk = (page: number, index: number, at: ChunkPlace): Chunk => {
    const reader = readerAt(page, index)
    toStructure(reader, 0)
    return readStructure(reader, at, tables)
  }
  return { span, place, chunk }
}

/** For each chunk of a page, the end of the chunk before it, and where its record begins. */
function chunkBounds(bytes: Uint8Array, at: number): number[] {
  const reader = new ByteReader(bytes, at + HASH_BYTES + 1)
  for (let texts = 2; texts > 0; texts--) skipText(reader)
  const count = reader.varint()
  const bounds: number[] = []
  for (let end = 0; bounds.length < 2 * count && !reader.isAtEnd; skipText(reader)) {
    bounds.push(end, reader.at)
    end = toStructure(reader, end)
  }
  return bounds
}

/** Skips bytes with their length first. */
function skipText(reader: ByteReader): void {
  const length = reader.varint()
  reader.at += length
}

function readHead(reader: ByteReader, { urlPrefix }: ReadTables): PageHead {
  const textHash = Buffer.from(reader.bytes(HASH_BYTES)).toString('hex')
  return { textHash, url: readUrl(reader, urlPrefix), title: reader.text() }
}

function readChunk(reader: ByteReader, before: number, tables: Texts): Chunk {
  return readStructure(reader, readPlace(reader, before, tables), tables)
}

function readSpan(reader: ByteReader, before: number): Span {
  const start = before + reader.varint()
  return { start, end: start + reader.varint() }
}

function readPlace(reader: ByteReader, before: number, tables: Texts): ChunkPlace {
  const { start, end } = readSpan(reader, before)
  const headings: string[] = []
  for (let left = Math.min(reader.varint(), MAX_HEADINGS); left > 0; left--)
    headings.push(tables.headings(reader.varint()))
  const { anchor, turns } = readAnchor(reader, start, headings)
  return { start, end, headings, anchor, ...(turns.length > 0 ? { turns } : {}) }
}

function readStructure(reader: ByteReader, place: ChunkPlace, tables: Texts): Chunk {
  reader.varint()
  const entries = readEntries(reader, place.start)
  const chunk = { ...place, blocks: readBlocks(reader, place, tables) }
  return entries.length > 0 ? { ...chunk, entries } : chunk
}

/** Skips a chunk up to the length of its structure and returns its end. */
function toStructure(reader: ByteReader, before: number): number {
  const { end } = readSpan(reader, before)
  for (let left = Math.min(reader.varint(), MAX_HEADINGS); left > 0; left--) reader.varint()
  let kind = reader.byte()
  if (kind === ANCHOR.turns) {
    for (let left = Math.min(reader.varint(), MAX_TURNS); left > 0; left--) {
      reader.varint()
      skipText(reader)
    }
    kind = reader.byte()
  }
  if (kind === ANCHOR.own) skipText(reader)
  return end
}

/** Called with the hash of a name and its chunk, numbered from the page's first. */
export type OnName = (hash: number, chunk: number) => void

/** Reads the names on a page. Returns its head and the number of its chunks. */
export function readNames(bytes: Uint8Array, at: number, tables: ReadTables, onName: OnName) {
  const reader = new ByteReader(bytes, at)
  const head = readHead(reader, tables)
  const chunks = reader.varint()
  for (let chunk = 0; chunk < chunks && !reader.isAtEnd; chunk++) {
    toStructure(reader, 0)
    const length = reader.varint()
    const next = reader.at + length
    readKeys(reader, (hash) => onName(hash, chunk))
    reader.at = next
  }
  return { ...head, chunks }
}

/** Reads the display data of a page without its chunks. */
export function readRecordHead(bytes: Uint8Array, at: number, tables: ReadTables): PageHead {
  return readHead(new ByteReader(bytes, at), tables)
}

/** Reads only the URL of a record, for filters. */
export function readPageUrl(bytes: Uint8Array, at: number, urlPrefix: string): string {
  return readUrl(new ByteReader(bytes, at + HASH_BYTES), urlPrefix)
}

function readUrl(reader: ByteReader, urlPrefix: string): string {
  return reader.byte() === 1 ? urlPrefix + reader.text() : reader.text()
}

function readAnchor(reader: ByteReader, chunkStart: number, headings: string[]) {
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
