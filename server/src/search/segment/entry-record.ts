import { type Entry, ENTRY_KINDS } from '#documents/model/document.ts'
import type { Chunk } from '#search/page.ts'
import type { ByteReader, ByteWriter } from './bytes.ts'

/** More than any passage has. Bounds loops over damaged bytes. */
const MAX_ENTRIES = 2_000
const MAX_KEYS = 64

/** Writes the entries of a chunk: kind, offset from the entry before, length, name, and four bytes for each key. */
export function writeEntries(out: ByteWriter, { start, entries = [] }: Chunk): void {
  out.varint(entries.length)
  let at = start
  for (const { kind, start: from, end, name, keys } of entries) {
    out.byte(ENTRY_KINDS.indexOf(kind))
    out.varint(from - at)
    out.varint(end - from)
    out.varint(name.start - from)
    out.varint(name.end - name.start)
    out.byte(Math.min(keys.length, MAX_KEYS))
    for (const key of keys.slice(0, MAX_KEYS)) for (const shift of [0, 8, 16, 24]) out.byte((key >>> shift) & 255)
    at = from
  }
}

/** Reads the output of `writeEntries`. */
export function readEntries(reader: ByteReader, start: number): Entry[] {
  const entries: Entry[] = []
  let at = start
  for (let left = Math.min(reader.varint(), MAX_ENTRIES); left > 0; left--) {
    const kind = ENTRY_KINDS[reader.byte()] ?? 'definition'
    at += reader.varint()
    const end = at + reader.varint()
    const from = at + reader.varint()
    const name = { start: from, end: from + reader.varint() }
    const keys: number[] = []
    for (let count = Math.min(reader.byte(), MAX_KEYS); count > 0; count--) keys.push(readKey(reader))
    entries.push({ kind, start: at, end, name, keys })
  }
  return entries
}

/** Reads the keys in the output of `writeEntries`. */
export function readKeys(reader: ByteReader, onKey: (key: number) => void): void {
  for (let left = Math.min(reader.varint(), MAX_ENTRIES); left > 0; left--) {
    reader.byte()
    for (let numbers = 4; numbers > 0; numbers--) reader.varint()
    for (let count = Math.min(reader.byte(), MAX_KEYS); count > 0; count--) onKey(readKey(reader))
  }
}

function readKey(reader: ByteReader): number {
  return (reader.byte() | (reader.byte() << 8) | (reader.byte() << 16) | (reader.byte() << 24)) >>> 0
}
