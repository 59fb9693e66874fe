import type { SourceSegment } from '#search/rank/corpus.ts'
import type { ServedServer } from '#store/servers/served.ts'
import { isUploadUrl } from '#lib/addresses/page-address.ts'
import { readCursor, writeCursor } from '../arguments/shared-arguments.ts'
import { addressForClients, oneLine } from '../passages/format-citation.ts'
import { type SerialisedMembers, serialiseMembers } from '../definition/tool-result.ts'

/** Maximum listed pages of a server, because clients request the whole list. All other pages can be read too. */
const LISTED = 1_000
/** Pages in one response: about 50 kB. The whole list takes five requests of a client's rate limit. */
const A_RESPONSE = 200
const SCOPE = 'resources'

/** Lists pages in the format of `resources/list`: the first of each source. Throws a `ToolError` for a bad cursor. */
export function listResources(
  { sources }: Pick<ServedServer, 'sources'>,
  parts: readonly SourceSegment[],
  cursor: string | undefined,
): SerialisedMembers {
  const offset = readCursor(cursor, SCOPE)
  const bySource = sources.flatMap((source) => {
    const own = parts.filter(({ sourceId }) => sourceId === source.id)
    return own.length === 0
      ? []
      : [{ source, own, pages: own.reduce((sum, { segment }) => sum + segment.pageCount, 0) }]
  })
  const shares = shareEqually(
    bySource.map(({ pages }) => pages),
    LISTED,
  )
  const listed = bySource.flatMap(({ source, own }, index) => {
    const from = sources.length > 1 ? `From ${oneLine(source.label ?? source.url)}` : null
    return firstPages(own, shares[index] ?? 0).map(({ url, title }) => resourceOf(url, title, from))
  })
  const next = offset + A_RESPONSE
  const nextCursor = next < listed.length ? writeCursor(next, SCOPE) : undefined
  return serialiseMembers({ resources: listed.slice(offset, next), nextCursor })
}

/** Media type of pages in lists of resources, and of their text. */
export const PAGE_TYPE = 'text/markdown'

function resourceOf(url: string, title: string, from: string | null) {
  const uri = addressForClients(url)
  const name = oneLine(title) || uri
  return { uri, name, title: name, ...(from === null ? {} : { description: from }), mimeType: PAGE_TYPE }
}

/** The first pages of a source. While a source is indexed, a page can be in several of its segments. */
function firstPages(parts: readonly SourceSegment[], most: number): { url: string; title: string }[] {
  const pages = new Map<string, { url: string; title: string }>()
  for (const { segment } of parts) {
    for (let page = 0; page < segment.pageCount && pages.size < most; page++) {
      const { url, title } = segment.head(page)
      if (!pages.has(url)) pages.set(url, { url, title })
    }
  }
  return [...pages.values()]
}

/** Divides `total` equally. What some do not need goes to the others. */
function shareEqually(wanted: readonly number[], total: number): number[] {
  const shares = wanted.map(() => 0)
  let left = total
  const ascending = wanted.map((want, index) => ({ want, index })).toSorted((a, b) => a.want - b.want)
  for (const [done, { want, index }] of ascending.entries()) {
    const share = Math.min(want, Math.floor(left / (ascending.length - done)))
    shares[index] = share
    left -= share
  }
  return shares
}

/** Maximum templates of a server: enough for its sources, except on servers that are catalogues of sources. */
const LISTED_TEMPLATES = 100

/** The addresses of the pages of each source, as members of the result of `resources/templates/list`. */
export function resourceTemplates({ sources }: Pick<ServedServer, 'sources'>): Uint8Array {
  const templates = new Map(
    sources.map(({ url, label }) => {
      const uriTemplate = `${folderOf(url)}{+path}`
      const name = `Pages of ${oneLine(label ?? url)}`
      return [uriTemplate, { uriTemplate, name, title: name, description: DESCRIPTION, mimeType: PAGE_TYPE }] as const
    }),
  )
  return serialiseMembers({ resourceTemplates: [...templates.values()].slice(0, LISTED_TEMPLATES) }).members
}

const DESCRIPTION =
  'An indexed page by its address, as Markdown. With a fragment, as in citations, only that section. Only indexed pages can be read.'

/** The address below which the pages of a source usually are. Braces would be part of the template. */
function folderOf(url: string): string {
  const [plain = ''] = url.split(/[?#]/, 1)
  const address = plain.replaceAll('{', '%7B').replaceAll('}', '%7D')
  if (isUploadUrl(url)) return address.endsWith('/') ? address : `${address}/`
  const { pathname } = new URL(address)
  const last = pathname.slice(pathname.lastIndexOf('/') + 1)
  if (last === '') return address
  return last.includes('.') ? address.slice(0, -last.length) : `${address}/`
}
