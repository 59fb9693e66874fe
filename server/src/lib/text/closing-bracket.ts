/** Offset of the bracket that closes the one at `open`, before `end`. -1 if there is none. */
export function closingBracket(text: string, open: number, end: number = text.length): number {
  const opening = text[open]
  const closing = opening === '(' ? ')' : '}'
  let depth = 0
  for (let at = open; at >= 0 && at < end; at++) {
    if (text[at] === opening) depth++
    else if (text[at] === closing && --depth === 0) return at
  }
  return -1
}
