/**
 * Maximum values in untrusted JSON parsed in the main process: about 100 ms of a slow processor and 30 MB. A response
 * with a hundred GitHub issues has 15,000; a megabyte of empty objects has 350,000.
 */
const MAX_VALUES = 100_000

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const BRACE = 0x7b
const BRACKET = 0x5b

/** Parses JSON in UTF-8. Throws `SyntaxError` for invalid JSON and `RangeError` beyond `maxValues` values. */
export function parseBoundedJson(bytes: Uint8Array, maxValues = MAX_VALUES): unknown {
  if (hasMoreValues(bytes, maxValues)) throw new RangeError(`The JSON holds more than ${maxValues} values.`)
  return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'))
}

/** True if a JSON text has more than `most` values. Counts openings and separators outside strings. */
export function hasMoreValues(bytes: Uint8Array, most = MAX_VALUES): boolean {
  let values = 1
  let isString = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (isString) {
      if (byte === BACKSLASH) at++
      else if (byte === QUOTE) isString = false
    } else if (byte === QUOTE) isString = true
    else if (byte === COMMA || byte === BRACE || byte === BRACKET) {
      if (++values > most) return true
    }
  }
  return false
}
