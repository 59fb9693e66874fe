/** Characters and texts that are embedded at once. A question waits for one such group at most. */
export type GroupLimits = { characters: number; texts: number }

/**
 * Places of texts that go together: those of like length, since each is padded to the longest, and not more than a limit,
 * unless it is a single one.
 */
export function groupTexts(texts: readonly string[], { characters, texts: most }: GroupLimits): number[][] {
  const lengthOf = (place: number) => texts[place]?.length ?? 0
  const groups: number[][] = []
  for (const place of [...texts.keys()].toSorted((a, b) => lengthOf(a) - lengthOf(b))) {
    const group = groups.at(-1)
    // The one that comes is the longest.
    if (group && group.length < most && lengthOf(place) * (group.length + 1) <= characters) group.push(place)
    else groups.push([place])
  }
  return groups
}
