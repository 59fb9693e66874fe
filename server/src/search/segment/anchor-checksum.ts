import { crc32 } from 'node:zlib'

/** Tells one list of link texts from another; 0 for none. */
export function anchorChecksum(texts: readonly string[]): number {
  return texts.length === 0 ? 0 : crc32(texts.join('\n'))
}
