import { elementAt } from '#lib/element-at.ts'

/** A citation of a logged call. */
export type LoggedCitation = { sourceId: string; url: string; title: string; rank: number; score: number }

/**
 * In JSON: the folder that all addresses share, the ids of the sources, and then for each citation five values: place of
 * the source in that list, rest of the address, title, rank and score. A flat array is written twice as fast.
 */
type Short = [folder: string, sourceIds: string[], ...values: (string | number)[]]
const VALUES = 5

/** Calls of earlier versions repeat the source and the whole address. */
type Long = [sourceId: string, url: string, title: string, rank: number, score: number]

/** The citations of a call as stored in its row. Null for none. What citations share is most of a row's length. */
export function writeCitations(citations: readonly LoggedCitation[]): string | null {
  if (citations.length === 0) return null
  const folder = sharedFolder(citations)
  const sourceIds: string[] = []
  const stored: Short = [folder, sourceIds]
  for (const { sourceId, url, title, rank, score } of citations) {
    const known = sourceIds.indexOf(sourceId)
    stored.push(known >= 0 ? known : sourceIds.push(sourceId) - 1, url.slice(folder.length), title, rank, score)
  }
  return JSON.stringify(stored)
}

/** The citations of a stored call, in the order of the answer. */
export function readCitations(stored: string | null): LoggedCitation[] {
  if (stored === null) return []
  const read = JSON.parse(stored) as Short | Long[]
  if (!isShort(read)) return read.map(([sourceId, url, title, rank, score]) => ({ sourceId, url, title, rank, score }))
  const [folder, sourceIds, ...values] = read
  return Array.from({ length: values.length / VALUES }, (_, n) => {
    const [source, end, title, rank, score] = values.slice(n * VALUES, (n + 1) * VALUES) as [
      number,
      string,
      string,
      number,
      number,
    ]
    return { sourceId: elementAt(sourceIds, source), url: folder + end, title, rank, score }
  })
}

const isShort = (read: Short | Long[]): read is Short => typeof read[0] === 'string'

/**
 * The beginning of all addresses, up to a slash. Addresses are clipped, so it takes few steps. `startsWith` would take
 * three times as long for parts of texts.
 */
function sharedFolder(citations: readonly LoggedCitation[]): string {
  let folder = folderOf(elementAt(citations, 0).url)
  for (const { url } of citations) {
    while (url.slice(0, folder.length) !== folder) folder = folderOf(folder.slice(0, -1))
  }
  return folder
}

const folderOf = (url: string): string => url.slice(0, url.lastIndexOf('/') + 1)
