/** An unreadable pack. The message is the end of a sentence, such as "it is damaged". */
export class PackError extends Error {
  override name = 'PackError'
}

/**
 * Applies a delta to its base (https://git-scm.com/docs/pack-format#_deltified_representation). A delta copies ranges
 * of the base and inserts new bytes. Throws `PackError` if it does not fit the base, or if the result exceeds
 * `maxBytes`.
 */
export function applyDelta(base: Buffer, delta: Buffer, maxBytes: number): Buffer {
  let at = 0
  const byte = () => {
    const value = delta[at++]
    if (value === undefined) throw new PackError('it is damaged')
    return value
  }
  const length = () => {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      const part = byte()
      value += (part & 0x7f) * factor
      if (!(part & 0x80)) return value
    }
  }
  /** Reads a little-endian number with one byte per set bit of the mask; bytes without a bit are 0. */
  const number = (mask: number) => {
    let value = 0
    for (let factor = 1; mask > 0; mask >>= 1, factor *= 256) if (mask & 1) value += byte() * factor
    return value
  }
  if (length() !== base.length) throw new PackError('it is damaged')
  const size = length()
  if (size > maxBytes) throw new PackError('a file in it is too large')
  const result = Buffer.alloc(size)
  let filled = 0
  while (at < delta.length) {
    const code = byte()
    const isCopy = (code & 0x80) !== 0
    const from = isCopy ? number(code & 0x0f) : at
    const count = isCopy ? number((code >> 4) & 7) || 0x10000 : code
    const source = isCopy ? base : delta
    if (count === 0 || from + count > source.length || filled + count > size) throw new PackError('it is damaged')
    source.copy(result, filled, from, from + count)
    filled += count
    if (!isCopy) at += count
  }
  if (filled !== size) throw new PackError('it is damaged')
  return result
}
