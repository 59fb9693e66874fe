import { crc32 } from 'node:zlib'
import { HEADER_BYTES, MAGIC, SECTION_BYTES, SEGMENT_FORMAT, type SectionId } from './layout.ts'

export type Section = { id: SectionId; data: ArrayBufferView }

/** Joins sections into a file (layout.ts). */
export function writeSections(sections: readonly Section[]): Uint8Array<ArrayBuffer> {
  const tableEnd = HEADER_BYTES + sections.length * SECTION_BYTES
  const offsets: number[] = []
  let length = align(tableEnd + 4)
  for (const { data } of sections) {
    offsets.push(length)
    length = align(length + data.byteLength)
  }
  const bytes = new Uint8Array(length)
  const view = new DataView(bytes.buffer)
  for (const [at, value] of [MAGIC, SEGMENT_FORMAT, length, sections.length].entries())
    view.setUint32(at * 4, value, true)
  for (const [index, { id, data }] of sections.entries()) {
    const at = HEADER_BYTES + index * SECTION_BYTES
    const offset = offsets[index]
    for (const [word, value] of [id, offset, data.byteLength].entries()) view.setUint32(at + word * 4, value, true)
    bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), offset)
  }
  view.setUint32(tableEnd, crc32(bytes.subarray(0, tableEnd)), true)
  return bytes
}

function align(offset: number): number {
  return (offset + 7) & ~7
}
