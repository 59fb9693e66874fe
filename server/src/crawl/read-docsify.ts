import { hashRoute } from '#lib/addresses/page-address.ts'
import type { NetResponse } from '#net/client.ts'
import type { PageToGo } from '#store/pages/pages.ts'
import { type Docsify, fileOf, routeTo } from '#extract/site/docsify.ts'
import type { PageLink } from '#extract/extracted-page.ts'
import type { PageReader, PageResult } from '#processes/page-reader.ts'
import { type FetchDeps, type Fetched, fetchPage, unknownPage } from './fetch-page.ts'

type Deps = FetchDeps & { pages: PageReader; rules: { allows(url: string): boolean } }

type Read =
  | Exclude<Fetched, { kind: 'answer' | 'redirect' }>
  | { kind: 'read'; result: PageResult; headers: Record<string, string> }

const WHOLE_PAGE = /^\W{0,3}\s*<(?:!doctype|html)\b/i

const MISSING = {
  kind: 'failed',
  reason: 'not_found',
  detail: 'The site has no Markdown file behind this route.',
  transient: false,
} as const

/** Reads the Markdown of a Docsify page. Its links are converted to page URLs. */
export async function readDocsify(deps: Deps, docsify: Docsify, page: PageToGo): Promise<Read> {
  const { url, state, textHash } = page
  const at = url.indexOf('#')
  const route = at < 0 ? '' : hashRoute(url.slice(at))
  const file = fileOf(docsify, route)
  if (file === null || !deps.rules.allows(file)) return MISSING
  // The validators of the first page belong to the HTML shell, not to this file.
  const fetched = await fetchPage(
    deps,
    route === '' ? { ...page, url: file, etag: null, lastModified: null } : { ...page, url: file },
  )
  if (fetched.kind === 'redirect') return MISSING
  if (fetched.kind !== 'answer') return fetched
  const { bytes, headers } = fetched.response
  // Such servers send the HTML shell in place of missing files.
  if (WHOLE_PAGE.test(Buffer.from(bytes.subarray(0, 100)).toString('latin1'))) return MISSING
  const result = await deps.pages.process(
    {
      url: docsify.isRelative ? file : new URL('README.md', docsify.home).href,
      contentType: 'text/markdown; charset=utf-8',
      bytes,
      withRoutes: true,
      ...(state === 'indexed' && textHash ? { previousTextHash: textHash } : {}),
      // The URL of the first page has no room for a section anchor.
      ...(route === '' ? { given: { anchors: [] } } : {}),
    },
    deps.signal,
  )
  fetched.response.release?.()
  return { kind: 'read', result: withRoutes(result, docsify, url), headers: route === '' ? {} : headers }
}

/** Extracts the Docsify settings from a page; null for other pages. */
export async function readDocsifySettings(
  { pages, signal }: Pick<Deps, 'pages' | 'signal'>,
  url: string,
  { bytes, headers }: Pick<NetResponse, 'bytes' | 'headers'>,
): Promise<Docsify | null> {
  const task = { list: 'docsify', url, bytes, contentType: headers['content-type'] ?? null } as const
  return (await pages.readList(task, signal))?.settings ?? null
}

/** Links from the site's sidebar and navigation bar. */
export async function readDocsifyLists(deps: Deps, docsify: Docsify, shell: string): Promise<PageLink[]> {
  const links: PageLink[] = []
  for (const homepage of ['_sidebar.md', '_navbar.md']) {
    const read = await readDocsify(deps, { ...docsify, homepage }, unknownPage(shell))
    // Both files are optional.
    if (read.kind !== 'read' || read.result.kind === 'killed') continue
    const found = read.result.kind === 'page' ? read.result.page.links : read.result.links
    links.push(...found.map((link) => ({ ...link, inContent: false })))
  }
  return links
}

function withRoutes(result: PageResult, docsify: Docsify, shell: string): PageResult {
  const lead = (links: PageLink[]) => links.map((link) => ({ ...link, url: routeTo(docsify, link.url, shell) }))
  if (result.kind === 'page') return { ...result, page: { ...result.page, links: lead(result.page.links) } }
  if (result.kind === 'rejected') return { ...result, links: lead(result.links) }
  return result
}
