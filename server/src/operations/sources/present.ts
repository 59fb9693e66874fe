import { sourcesWithCredential } from '#store/accounts/secrets.ts'
import type { Db } from '#store/db.ts'
import { countReasons } from '#store/pages/page-report.ts'
import type { SourceRow } from '#store/sources/sources.ts'
import { isoTime } from '../servers/present.ts'

/** Sources of a server in the owner's view. Shows that credentials exist, but not their values. */
export async function presentSources(db: Db, serverId: string, sources: readonly SourceRow[]) {
  const withCredential = await sourcesWithCredential(db, serverId)
  return Promise.all(sources.map((source) => presentSource(db, source, withCredential.has(source.id))))
}

export async function presentSource(db: Db, source: SourceRow, hasCredential: boolean) {
  const reasons = source.pagesSkipped + source.pagesFailed > 0 ? await countReasons(db, source.id) : []
  return {
    id: source.id,
    url: source.url,
    type: source.type,
    typeReason: source.typeReason,
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
    include: JSON.parse(source.includePatterns) as string[],
    exclude: JSON.parse(source.excludePatterns) as string[],
    isPrivate: source.isPrivate === 1,
    hasCredential,
    allowedTools: JSON.parse(source.allowedTools) as string[],
  }
}
