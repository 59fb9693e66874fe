/** Maximum padded characters and texts of one batch. A question waits for at most one batch. */
export type GroupLimits = { characters: number; texts: number }

/**
 * Groups texts of similar length into batches, because each text is padded to the longest. Returns their indexes. Only
 * a single text may exceed the limit.
 */
export function groupTexts(texts: readonly string[], { characters, texts: most }: GroupLimits): number[][] {
  const lengthOf = (place: number) => texts[place]?.length ?? 0
  const groups: number[][] = []
  for (const place of [...texts.keys()].toSorted((a, b) => lengthOf(a) - lengthOf(b))) {
    const group = groups.at(-1)
    // Texts are sorted by length, so this one is the longest.
    if (group && group.length < most && lengthOf(place) * (group.length + 1) <= characters) group.push(place)
    else groups.push([place])
  }
  return groups
}
