import { crc32 } from 'node:zlib'
import { GROUPS, HEADER_BYTES, MAGIC, SECTION_BYTES, SEGMENT_FORMAT } from './layout.ts'

/** The bytes are not a segment, or not readable by this version. */
export class SegmentError extends Error {
  override name = 'SegmentError'
}

/** The segment has the format of another version. It can be rebuilt from the texts. */
export class SegmentFormatError extends SegmentError {
  override name = 'SegmentFormatError'
}

/**
 * Sections of a file by id, as views. `oldest` is the oldest format that the caller reads. Throws `SegmentFormatError` for another
 * format, else `SegmentError`.
 */
export function readSections(given: Uint8Array, oldest = SEGMENT_FORMAT): Map<number, Uint8Array> {
  const bytes = given.byteOffset % 8 === 0 ? given : given.slice()
  if (bytes.byteLength < HEADER_BYTES + 4) throw new SegmentError('The segment is cut off.')
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.getUint32(0, true) !== MAGIC) throw new SegmentError('These bytes are not a segment.')
  const format = view.getUint32(4, true)
  if (format < oldest || format > SEGMENT_FORMAT)
    throw new SegmentFormatError(`The segment has format ${format}, and this program reads format ${SEGMENT_FORMAT}.`)
  if (view.getUint32(8, true) !== bytes.byteLength) throw new SegmentError('The segment is cut off.')
  const count = view.getUint32(12, true)
  const tableEnd = HEADER_BYTES + count * SECTION_BYTES
  if (tableEnd + 4 > bytes.byteLength) throw new SegmentError('The segment is cut off.')
  if (view.getUint32(tableEnd, true) !== crc32(bytes.subarray(0, tableEnd)))
    throw new SegmentError('The header of the segment is damaged.')
  const sections = new Map<number, Uint8Array>()
  for (let at = HEADER_BYTES; at < tableEnd; at += SECTION_BYTES) {
    const offset = view.getUint32(at + 4, true)
    const length = view.getUint32(at + 8, true)
    if (offset % 8 !== 0 || offset + length > bytes.byteLength)
      throw new SegmentError('The header of the segment is damaged.')
    sections.set(view.getUint32(at, true), bytes.subarray(offset, offset + length))
  }
  return sections
}

/** Offsets at which each of `GROUPS` begins, in a file of `writeSections`. */
export function startsOfGroups(bytes: Uint8Array): number[] {
  const starts = GROUPS.map(() => bytes.byteLength)
  for (const [id, { byteOffset }] of readSections(bytes)) {
    const group = groupOf(id)
    if (group >= 0) starts[group] = Math.min(starts[group] ?? 0, byteOffset - bytes.byteOffset)
  }
  return starts
}

/** Index of a section's group, or -1. */
const groupOf = (id: number) => GROUPS.findIndex((group) => group.includes(id))

/** Joins sections by id into a file (layout.ts). */
export function writeSections(given: ReadonlyMap<number, ArrayBufferView>): Uint8Array<ArrayBuffer> {
  const sections = new Map([...given].toSorted(([a], [b]) => groupOf(a) - groupOf(b)))
  const tableEnd = HEADER_BYTES + sections.size * SECTION_BYTES
  const start = align(tableEnd + 4)
  const length = sections.values().reduce((end, { byteLength }) => align(end + byteLength), start)
  const bytes = new Uint8Array(length)
  const view = new DataView(bytes.buffer)
  for (const [at, value] of [MAGIC, SEGMENT_FORMAT, length, sections.size].entries())
    view.setUint32(at * 4, value, true)
  let entry = HEADER_BYTES
  let offset = start
  for (const [id, { buffer, byteOffset, byteLength }] of sections) {
    for (const [word, value] of [id, offset, byteLength].entries()) view.setUint32(entry + word * 4, value, true)
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), offset)
    entry += SECTION_BYTES
    offset = align(offset + byteLength)
  }
  view.setUint32(tableEnd, crc32(bytes.subarray(0, tableEnd)), true)
  return bytes
}

function align(offset: number): number {
  return (offset + 7) & ~7
}
