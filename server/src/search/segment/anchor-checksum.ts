import { crc32 } from 'node:zlib'

/** Checksum of a list of link texts, to detect changes. 0 for an empty list. */
export function anchorChecksum(texts: readonly string[]): number {
  return texts.length === 0 ? 0 : crc32(texts.join('\n'))
}
