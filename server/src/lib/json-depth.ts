const [QUOTE, BACKSLASH, OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Whether arrays and objects of a JSON text are nested deeper than `depth`. Looks at the text alone, in linear time and
 * without recursion: code that walks the value (copies, schemas, `JSON.stringify`) needs stack for each level.
 */
export function isNestedDeeper(json: string, depth: number): boolean {
  // So many levels have two brackets each; a text that lacks some is refused by every parser.
  if (json.length <= 2 * depth) return false
  let level = 0
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (code === QUOTE) at = endOfString(json, at)
    else if (code === OPEN_ARRAY || code === OPEN_OBJECT) {
      if (++level > depth) return true
    } else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) level--
  }
  return false
}

/** Offset of the quote that ends the string, or of the end of the text. */
function endOfString(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (code === BACKSLASH) at++
    else if (code === QUOTE) return at
  }
  return json.length
}
