/** A compiled pattern for paths. */
export type PathPattern = {
  /** Characters of the pattern as written. */
  length: number
  /** What the path starts with. */
  head: string
  /** What follows in the path, each after a `*`. None is empty: a row of `*` is one, and at the end `*` says nothing. */
  pieces: string[]
  /** The pattern ends in `$`: nothing may follow. */
  anchored: boolean
}

/** Compiles a pattern as robots.txt has them (RFC 9309, 2.2.3): `*` is anything, `$` at the end is the end. */
export function compilePattern(pattern: string): PathPattern {
  const text = pattern.endsWith('$') ? pattern.slice(0, -1) : pattern
  const [head = '', ...pieces] = text.split('*')
  const anchored = pattern.endsWith('$') && !text.endsWith('*')
  return { length: pattern.length, head, pieces: pieces.filter((piece) => piece !== ''), anchored }
}

/**
 * Whether a path begins with what the pattern describes. Each piece is taken where it first occurs, which finds a
 * match whenever there is one, without going back, whatever a hostile pattern looks like.
 */
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
