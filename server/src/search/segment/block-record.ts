import { type Block, PROSE_KINDS, type Entry, ENTRY_KINDS } from '#documents/model/document.ts'
import type { Chunk } from '#search/page.ts'
import type { ByteReader, ByteWriter } from './bytes.ts'

/** Strings shared by many blocks: their numbers, and by number. */
export type TextIds = Record<'headings' | 'codeLanguages', (text: string) => number>
export type Texts = Record<'headings' | 'codeLanguages', (id: number) => string>
type Bounds = { start: number; end: number }

/** Kinds by number. Append only. */
const KINDS = ['heading', 'code', ...PROSE_KINDS] as const
/** Bits of the first byte beside the kind. `LAST`: the block ends with the chunk. */
const [KIND, LAST, CONTINUES, RESUMES] = [7, 8, 16, 32]
/** The other bits are the offset from the block before and 1, or 0 for a larger offset, which follows. */
const [GAP_SHIFT, MOST_GAP] = [6, 2]
/** Bits of a heading's byte beside its level. `INNER`: its text is the innermost heading of the chunk. */
const [LEVEL, DECLARES, USUAL, OWN, INNER] = [7, 8, 16, 32, 64]
/** More than any passage has. Bounds loops over damaged bytes. */
const MAX_BLOCKS = 20_000

/** Writes the blocks of a chunk: a byte, the offset and length if it does not tell them, and what the kind has. */
export function writeBlocks(out: ByteWriter, chunk: Chunk, tables: TextIds): void {
  out.varint(chunk.blocks.length)
  let at = chunk.start
  for (const block of chunk.blocks) {
    const resumes = block.kind === 'heading' ? undefined : block.resumes
    const gap = block.start - at
    const isLast = block.end === chunk.end
    out.byte(
      KINDS.indexOf(block.kind) |
        (isLast ? LAST : 0) |
        (block.continues ? CONTINUES : 0) |
        (resumes === undefined ? 0 : RESUMES) |
        (gap <= MOST_GAP ? (gap + 1) << GAP_SHIFT : 0),
    )
    if (gap > MOST_GAP) out.varint(gap)
    if (!isLast) out.varint(block.end - block.start)
    if (resumes !== undefined) out.byte(resumes)
    if (block.kind === 'heading') writeHeading(out, block, chunk, tables)
    else if (block.kind === 'code') {
      out.varint(block.codeStart - block.start)
      out.varint(block.end - block.codeEnd)
      out.varint(tables.codeLanguages(block.language ?? ''))
    }
    at = block.end
  }
}

function writeHeading(
  out: ByteWriter,
  { level, text, anchor, declares }: Block & { kind: 'heading' },
  chunk: Chunk,
  { headings }: TextIds,
): void {
  const place = anchor === null ? 0 : anchor === usualAnchor([text]) ? USUAL : OWN
  const isInner = text === chunk.headings.at(-1)
  out.byte(level | (declares ? DECLARES : 0) | place | (isInner ? INNER : 0))
  if (!isInner) out.varint(headings(text))
  if (place === OWN) out.text(anchor ?? '')
}

/** Reads the output of `writeBlocks`. */
export function readBlocks(reader: ByteReader, chunk: Bounds & Pick<Chunk, 'headings'>, tables: Texts): Block[] {
  const blocks: Block[] = []
  let at = chunk.start
  for (let left = Math.min(reader.varint(), MAX_BLOCKS); left > 0; left--) {
    const bits = reader.byte()
    const gap = bits >> GAP_SHIFT
    const from = at + (gap > 0 ? gap - 1 : reader.varint())
    at = bits & LAST ? chunk.end : from + reader.varint()
    const resumes = bits & RESUMES ? { resumes: reader.byte() } : undefined
    const divided = bits & CONTINUES ? ({ continues: true } as const) : undefined
    const kind = KINDS[bits & KIND] ?? 'paragraph'
    const span = { start: from, end: at }
    if (kind === 'heading') blocks.push({ kind, ...span, ...readHeading(reader, chunk, tables), ...divided })
    else if (kind === 'code') blocks.push({ kind, ...span, ...readCode(reader, span, tables), ...resumes, ...divided })
    else blocks.push({ kind, ...span, ...resumes, ...divided })
  }
  return blocks
}

function readHeading(reader: ByteReader, chunk: Pick<Chunk, 'headings'>, { headings }: Texts) {
  const bits = reader.byte()
  const text = bits & INNER ? (chunk.headings.at(-1) ?? '') : headings(reader.varint())
  const anchor = bits & USUAL ? usualAnchor([text]) : bits & OWN ? reader.text() : null
  return { level: bits & LEVEL, text, anchor, ...(bits & DECLARES ? ({ declares: true } as const) : {}) }
}

function readCode(reader: ByteReader, { start, end }: Bounds, { codeLanguages }: Texts) {
  const codeStart = start + reader.varint()
  const codeEnd = end - reader.varint()
  return { codeStart, codeEnd, language: codeLanguages(reader.varint()) || null }
}

const PLAIN = /^[a-z0-9_-]+(?: [a-z0-9_-]+)*$/

/** The default fragment of most generators for the innermost heading. Default anchors need not be stored. */
export function usualAnchor(headings: readonly string[]): string {
  const heading = (headings.at(-1) ?? '').toLowerCase()
  if (PLAIN.test(heading)) return heading.replaceAll(' ', '-')
  return heading
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s+/g, '-')
}

/** More than any passage has. Bounds loops over damaged bytes. */
const MAX_ENTRIES = 2_000
const MAX_KEYS = 64

/** Bits of the first byte: the kind, then the offset of the name and 1, or 0 for a larger offset, which follows. */
const [ENTRY_KIND, NAME_SHIFT, NAME, MOST_OFFSET] = [15, 4, 7, 6]
/** It has one key, so their number is left out. */
const ONE_KEY = 128

/** Writes the entries of a chunk: kind, offset from the entry before, length, name, and four bytes for each key. */
export function writeEntries(out: ByteWriter, { start, entries = [] }: Chunk): void {
  out.varint(entries.length)
  let at = start
  for (const { kind, start: from, end, name, keys } of entries) {
    const offset = name.start - from
    const isNear = offset <= MOST_OFFSET
    const isOne = keys.length === 1
    out.byte(ENTRY_KINDS.indexOf(kind) | (isNear ? (offset + 1) << NAME_SHIFT : 0) | (isOne ? ONE_KEY : 0))
    out.varint(from - at)
    out.varint(end - from)
    if (!isNear) out.varint(offset)
    out.varint(name.end - name.start)
    if (!isOne) out.byte(Math.min(keys.length, MAX_KEYS))
    for (const key of keys.slice(0, MAX_KEYS)) for (const shift of [0, 8, 16, 24]) out.byte((key >>> shift) & 255)
    at = from
  }
}

/** Reads the output of `writeEntries`. */
export function readEntries(reader: ByteReader, start: number): Entry[] {
  const entries: Entry[] = []
  let at = start
  for (let left = Math.min(reader.varint(), MAX_ENTRIES); left > 0; left--) {
    const bits = reader.byte()
    const kind = ENTRY_KINDS[bits & ENTRY_KIND] ?? 'definition'
    at += reader.varint()
    const end = at + reader.varint()
    const offset = (bits >> NAME_SHIFT) & NAME
    const from = at + (offset > 0 ? offset - 1 : reader.varint())
    const name = { start: from, end: from + reader.varint() }
    const keys: number[] = []
    for (let count = keyCount(reader, bits); count > 0; count--) keys.push(readKey(reader))
    entries.push({ kind, start: at, end, name, keys })
  }
  return entries
}

/** Reads the keys in the output of `writeEntries`. */
export function readKeys(reader: ByteReader, onKey: (key: number) => void): void {
  for (let left = Math.min(reader.varint(), MAX_ENTRIES); left > 0; left--) {
    const bits = reader.byte()
    for (let numbers = (bits >> NAME_SHIFT) & NAME ? 3 : 4; numbers > 0; numbers--) reader.varint()
    for (let count = keyCount(reader, bits); count > 0; count--) onKey(readKey(reader))
  }
}

function keyCount(reader: ByteReader, bits: number): number {
  return bits & ONE_KEY ? 1 : Math.min(reader.byte(), MAX_KEYS)
}

function readKey(reader: ByteReader): number {
  return (reader.byte() | (reader.byte() << 8) | (reader.byte() << 16) | (reader.byte() << 24)) >>> 0
}
