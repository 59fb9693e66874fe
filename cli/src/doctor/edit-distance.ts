/** Levenshtein distance of two names. */
export function editDistance(one: string, other: string): number {
  let previous = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (const [row, letter] of [...one].entries()) {
    const current = [row + 1]
    for (const [at, otherLetter] of [...other].entries()) {
      const replaced = (previous[at] ?? 0) + (letter === otherLetter ? 0 : 1)
      current.push(Math.min(replaced, (previous[at + 1] ?? 0) + 1, (current[at] ?? 0) + 1))
    }
    previous = current
  }
  return previous[other.length] ?? 0
}
