import type { Docsify } from '#extract/site/docsify.ts'
import type { PageReader } from '#processes/page-reader.ts'
import { type FetchDeps, type Fetched, fetchPage, unknownPage } from './fetch-page.ts'
import { readDocsifySettings } from './read-docsify.ts'
import { isShell } from './render-empty.ts'

type Deps = FetchDeps & { pages: PageReader }

/** The kind of page that serves hash routes. */
export type HashSite =
  | { kind: 'docsify'; docsify: Docsify }
  /** An application, which needs rendering. */
  | { kind: 'shell' }
  /** An ordinary page, which ignores such fragments. */
  | { kind: 'page' }
  | Extract<Fetched, { kind: 'failed' | 'redirect' }>

/** Inspects each page once per crawl. `url` has no fragment. */
export function createHashRouting() {
  const known = new Map<string, Promise<HashSite>>()
  return {
    of(deps: Deps, url: string): Promise<HashSite> {
      const found = known.get(url) ?? look(deps, url)
      known.set(url, found)
      return found
    },
  }
}

export type HashRouting = ReturnType<typeof createHashRouting>

async function look(deps: Deps, url: string): Promise<HashSite> {
  const fetched = await fetchPage(deps, unknownPage(url))
  if (fetched.kind === 'failed' || fetched.kind === 'redirect') return fetched
  if (fetched.kind === 'not_modified') throw new Error(`${url} was asked for without conditions`)
  const { headers, bytes } = fetched.response
  const contentType = headers['content-type'] ?? null
  const result = await deps.pages.process({ url, contentType, bytes }, deps.signal)
  const docsify = isShell(result) ? await readDocsifySettings(deps, url, fetched.response) : null
  fetched.response.release?.()
  if (!isShell(result)) return { kind: 'page' }
  return docsify ? { kind: 'docsify', docsify } : { kind: 'shell' }
}
