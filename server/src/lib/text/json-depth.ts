const [QUOTE, BACKSLASH, OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d]

/**
 * True if arrays and objects of a JSON text are nested deeper than `depth`. Scans the text in linear time without
 * recursion. Code that walks the value (copies, schemas, `JSON.stringify`) needs stack for each level.
 */
export function isNestedDeeper(json: string, depth: number): boolean {
  // Each level needs two brackets. Parsers reject text with missing brackets.
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

/** Offset of the closing quote of the string, or of the end of the text. */
function endOfString(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (code === BACKSLASH) at++
    else if (code === QUOTE) return at
  }
  return json.length
}
