/** A citation of a logged call. */
export type LoggedCitation = { sourceId: string; url: string; title: string; rank: number; score: number }

type Stored = [sourceId: string, url: string, title: string, rank: number, score: number]

/** The citations of a call as stored in its row: a JSON array of arrays. Null for none. */
export function writeCitations(citations: readonly LoggedCitation[]): string | null {
  if (citations.length === 0) return null
  const stored = citations.map(({ sourceId, url, title, rank, score }): Stored => [sourceId, url, title, rank, score])
  return JSON.stringify(stored)
}

/** The citations of a stored call, in the order of the answer. */
export function readCitations(stored: string | null): LoggedCitation[] {
  if (stored === null) return []
  return (JSON.parse(stored) as Stored[]).map(([sourceId, url, title, rank, score]) => ({
    sourceId,
    url,
    title,
    rank,
    score,
  }))
}
