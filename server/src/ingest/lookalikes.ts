/**
 * Pages of one shape (`textShape`) that lead on, as many as there are variants of a page by its query. More of them is a
 * site that makes up pages without end; or stubs, whose neighbours others lead to as well.
 */
const MOST_ALIKE = 60

/** Tells over one crawl which pages are led on from. */
export function createLookalikes() {
  const seen = new Map<string, number>()
  return {
    /** Whether the links of a page of this shape are followed. To be asked once for each page. */
    leadsOn(shape: string | null): boolean {
      if (shape === null) return true
      const count = (seen.get(shape) ?? 0) + 1
      seen.set(shape, count)
      return count <= MOST_ALIKE
    },
  }
}

export type Lookalikes = ReturnType<typeof createLookalikes>
