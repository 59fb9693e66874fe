import { transcode } from 'node:buffer'

/** Most values in untrusted JSON: 100 ms and 30 MB. A response with a hundred GitHub issues has 15,000. */
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

/** Characters per pass through the reusable buffer. A typical response has 12,000. */
const KEPT = 32_768
/** Holds no data between calls. Avoids one allocation per text. */
const utf16 = Buffer.allocUnsafeSlow(KEPT * 2)

/** Encodes well-formed JSON as UTF-8. Beyond Latin-1, this is five times faster than `Buffer.from`. */
export function jsonBytes(json: string): Uint8Array<ArrayBuffer> {
  const wide = json.length <= KEPT ? utf16.subarray(0, utf16.write(json, 'utf16le')) : Buffer.from(json, 'utf16le')
  return transcode(wide, 'utf16le', 'utf8')
}

const [CLOSE_ARRAY, CLOSE_OBJECT] = [0x5d, 0x7d]

/** True if JSON is nested deeper than `depth`: code that walks the value needs stack for each level. */
export function isNestedDeeper(json: string, depth: number): boolean {
  // Each level needs two brackets. Parsers reject text with missing brackets.
  if (json.length <= 2 * depth) return false
  let level = 0
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (code === QUOTE) at = endOfString(json, at)
    else if (code === BRACKET || code === BRACE) {
      if (++level > depth) return true
    } else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) level--
  }
  return false
}

/** Offset of the closing quote of the string, or of the end of the text. */
function endOfString(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (code === BACKSLASH) at++
    else if (code === QUOTE) return at
  }
  return json.length
}
