export type PathPattern = {
  length: number
  /** Required prefix of the path. */
  head: string
  /** Required substrings after the prefix, each after a `*`. None is empty. */
  pieces: string[]
  /** The pattern ends in `$`, so nothing may follow. */
  anchored: boolean
}

/** Compiles a robots.txt pattern (RFC 9309, section 2.2.3): `*` matches anything, a final `$` anchors the end. */
export function compilePattern(pattern: string): PathPattern {
  const text = pattern.endsWith('$') ? pattern.slice(0, -1) : pattern
  const [head = '', ...pieces] = text.split('*')
  const anchored = pattern.endsWith('$') && !text.endsWith('*')
  return { length: pattern.length, head, pieces: pieces.filter((piece) => piece !== ''), anchored }
}

/** True if a path begins with a match. Takes the first occurrence of each piece, so it never backtracks. */
export function matchesPattern({ head, pieces, anchored }: PathPattern, path: string): boolean {
  if (!path.startsWith(head)) return false
  const last = pieces.length - 1
  if (last < 0) return !anchored || path.length === head.length
  let at = head.length
  for (const [index, piece] of pieces.entries()) {
    if (anchored && index === last) return path.length - piece.length >= at && path.endsWith(piece)
    const found = path.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  return true
}
