import { countReasons } from '#store/pages.ts'
import { type SourceRow, listSources } from '#store/sources.ts'
import type { Db } from '#store/db.ts'
import type { Handler } from '../operation.ts'
import { configSnippet, isoTime, summaryFields } from './present.ts'
import { readProgress } from './progress.ts'

export const getServer: Handler<'servers.get'> = async ({ deps, server }) => {
  const sources = await listSources(deps.store.read, server.id)
  const { status } = await readProgress(deps, server.id)
  return {
    ...summaryFields(deps.baseUrl(), server, sources.length),
    status,
    configSnippet: configSnippet(deps.baseUrl(), server),
    tools: JSON.parse(server.tools) as string[],
    sources: await Promise.all(sources.map((source) => presentSource(deps.store.read, source))),
  }
}

async function presentSource(db: Db, source: SourceRow) {
  const reasons = source.pagesSkipped + source.pagesFailed > 0 ? await countReasons(db, source.id) : []
  return {
    id: source.id,
    url: source.url,
    type: source.type,
    label: source.label,
    crawlStatus: source.crawlStatus,
    ...(source.crawlError === null ? {} : { crawlError: source.crawlError }),
    pagesDiscovered: source.pagesFound,
    pagesIndexed: source.pagesIndexed,
    pagesSkipped: source.pagesSkipped,
    pagesFailed: source.pagesFailed,
    skipped: reasons.map(({ reason, pages, detail }) => ({ reason, pages, example: detail })),
    chunks: source.chunks,
    lastIndexedAt: source.lastIndexedAt === null ? null : isoTime(source.lastIndexedAt),
    isPrivate: source.isPrivate === 1,
    hasCredential: false,
  }
}
