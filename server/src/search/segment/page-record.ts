import type { Chunk, CodeBlock } from '#search/page.ts'
import { ByteReader } from './byte-reader.ts'
import type { ByteWriter } from './byte-writer.ts'
import { usualAnchor } from './usual-anchor.ts'

/** What is shown of a page: everything that scoring does not need. */
export type PageRecord = { url: string; title: string; textHash: string; chunks: Chunk[] }

/** Texts that many pages share, as numbers. */
export type RecordTables<T> = { headings: T; codeLanguages: T; urlPrefix: string }

const HASH_BYTES = 16
const ANCHOR = { none: 0, usual: 1, own: 2 } as const

/** Writes a record: hash, URL without the segment's prefix, title, then each chunk relative to the one before. */
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
    writeAnchor(out, chunk)
    writeCode(out, chunk, tables.codeLanguages)
    end = chunk.end
  }
}

function writeAnchor(out: ByteWriter, { anchor, headings }: Chunk): void {
  if (anchor === null) return out.byte(ANCHOR.none)
  if (anchor === usualAnchor(headings)) return out.byte(ANCHOR.usual)
  out.byte(ANCHOR.own)
  out.text(anchor)
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

/** Reads what `writePageRecord` wrote. */
export function readPageRecord(
  bytes: Uint8Array,
  at: number,
  tables: RecordTables<(id: number) => string>,
): PageRecord {
  const reader = new ByteReader(bytes, at)
  const textHash = Buffer.from(reader.bytes(HASH_BYTES)).toString('hex')
  const url = readUrl(reader, tables.urlPrefix)
  const title = reader.text()
  const count = reader.varint()
  const chunks: Chunk[] = []
  let end = 0
  while (chunks.length < count && reader.at < bytes.length) {
    const start = end + reader.varint()
    end = start + reader.varint()
    const headings: string[] = []
    for (let left = Math.min(reader.varint(), 64); left > 0; left--) headings.push(tables.headings(reader.varint()))
    const anchor = readAnchor(reader, headings)
    chunks.push({ start, end, headings, anchor, code: readCode(reader, start, tables.codeLanguages) })
  }
  return { url, title, textHash, chunks }
}

/** Only the URL of a record, for filters. */
export function readPageUrl(bytes: Uint8Array, at: number, urlPrefix: string): string {
  return readUrl(new ByteReader(bytes, at + HASH_BYTES), urlPrefix)
}

function readUrl(reader: ByteReader, urlPrefix: string): string {
  return reader.byte() === 1 ? urlPrefix + reader.text() : reader.text()
}

function readAnchor(reader: ByteReader, headings: string[]): string | null {
  const kind = reader.byte()
  if (kind === ANCHOR.none) return null
  return kind === ANCHOR.usual ? usualAnchor(headings) : reader.text()
}

function readCode(reader: ByteReader, chunkStart: number, language: (id: number) => string): CodeBlock[] {
  const code: CodeBlock[] = []
  let end = chunkStart
  for (let left = Math.min(reader.varint(), 10_000); left > 0; left--) {
    const start = end + reader.varint()
    end = start + reader.varint()
    code.push({ start, end, language: language(reader.varint()) || null })
  }
  return code
}
