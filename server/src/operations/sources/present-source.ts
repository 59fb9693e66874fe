import { isUploadUrl } from '#lib/addresses/page-address.ts'
import { elementAt } from '#lib/arrays.ts'
import { isoTime, isoTimes } from '#lib/clock.ts'
import { sourcesWithCredential } from '#store/accounts/secrets.ts'
import type { Db } from '#store/db.ts'
import { countReasons } from '#store/pages/page-report.ts'
import type { ServerRow } from '#store/servers/servers.ts'
import { REFRESH_MS } from '#store/sources/due-sources.ts'
import type { SourceRow } from '#store/sources/sources.ts'

/** Sources of a server in the owner's view. Shows that credentials exist, but not their values. */
export async function presentSources(db: Db, server: Pick<ServerRow, 'id' | 'refresh'>, sources: readonly SourceRow[]) {
  const withCredential = await sourcesWithCredential(db, server.id)
  const shown = await Promise.all(sources.map((source) => presentSource(db, source, withCredential.has(source.id))))
  return sources.map((source, n) => ({ ...elementAt(shown, n), nextRefreshAt: nextRefresh(server, source) }))
}

/** When the schedule of the server reads a source again. Uploads are not read again. */
function nextRefresh({ refresh }: Pick<ServerRow, 'refresh'>, { url, crawlStatus, crawlStartedAt }: SourceRow) {
  if (isUploadUrl(url) || refresh === 'off' || crawlStartedAt === null) return null
  return crawlStatus === 'complete' || crawlStatus === 'error' ? isoTime(crawlStartedAt + REFRESH_MS[refresh]) : null
}

export async function presentSource(
  db: Db,
  { crawlError, refreshState, ...source }: SourceRow,
  hasCredential: boolean,
) {
  const reasons = source.pagesSkipped + source.pagesFailed > 0 ? await countReasons(db, source.id) : []
  const refresh = refreshState === null ? null : (JSON.parse(refreshState) as { unchanged: number; notFetched: number })
  const changes = changesOf(source)
  return {
    ...isoTimes(source),
    ...(crawlError === null ? {} : { crawlError }),
    ...(changes === null ? {} : { changes }),
    ...(refresh && refresh.unchanged > 0 ? { refresh } : {}),
    pagesDiscovered: source.pagesFound,
    skipped: reasons.map(({ reason, pages, detail }) => ({ reason, pages, example: detail })),
    include: JSON.parse(source.includePatterns) as string[],
    exclude: JSON.parse(source.excludePatterns) as string[],
    versions: JSON.parse(source.versions) as string[],
    isPrivate: source.isPrivate === 1,
    hasCredential: hasCredential || source.sealedUrl !== null,
    allowedTools: JSON.parse(source.allowedTools) as string[],
  }
}

/** What the last refresh changed. Null before the first one, and while one is running. */
function changesOf({ crawlStatus, crawlUsage, run }: Pick<SourceRow, 'crawlStatus' | 'crawlUsage' | 'run'>) {
  if (crawlStatus !== 'complete' || crawlUsage === null || run < 2) return null
  const { added, changed, removed } = JSON.parse(crawlUsage) as Partial<Record<'added' | 'changed' | 'removed', number>>
  return added === undefined || changed === undefined || removed === undefined ? null : { added, changed, removed }
}
