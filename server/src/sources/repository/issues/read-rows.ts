import { type DiscussionAnswer, askForRows } from './ask-for-rows.ts'
import type { ListCursor } from './reading-cursor.ts'
import type { DiscussionDeps, DiscussionHost } from './discussion-list.ts'

/** The reason for which a list was not read to its end. */
export type DiscussionProblem = Extract<DiscussionAnswer, { kind: 'problem' }>

/** The rows read from a list. */
export type DiscussionRows = {
  rows: unknown[]
  /** ETag and URL of the first page. */
  etag: string | null
  url: string
  /** True if the end of the list was reached. */
  isWhole: boolean
  problem: DiscussionProblem | null
}

/**
 * Reads at most `pages` pages of the list at `url`. Returns null if the first page is unchanged since the reading that
 * gave `known`, by a conditional request.
 */
export async function readRows(
  deps: Pick<DiscussionDeps, 'fetch' | 'host'>,
  { url, pages, known = null }: { url: string; pages: number; known?: Pick<ListCursor, 'url' | 'etag'> | null },
): Promise<DiscussionRows | null> {
  const first = pageAddress(deps.host, url, 1)
  const read: DiscussionRows = { rows: [], etag: null, url: first, isWhole: false, problem: null }
  for (let page = 1; page <= pages && !read.isWhole; page++) {
    const condition = page === 1 && known?.url === first ? known.etag : null
    const answer = await askForRows(deps, pageAddress(deps.host, url, page), condition)
    if (answer.kind === 'unchanged') return null
    if (answer.kind === 'problem') return { ...read, problem: answer }
    if (page === 1) read.etag = answer.etag
    for (const row of answer.rows) read.rows.push(row)
    read.isWhole = answer.rows.length < deps.host.paging.size
  }
  return read
}

function pageAddress({ paging }: DiscussionHost, url: string, page: number): string {
  return `${url}${url.includes('?') ? '&' : '?'}${paging.query.replace('{page}', String(page))}`
}
