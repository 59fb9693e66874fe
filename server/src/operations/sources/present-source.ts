import { isoTimes } from '#lib/clock.ts'
import { sourcesWithCredential } from '#store/accounts/secrets.ts'
import type { Db } from '#store/db.ts'
import { countReasons } from '#store/pages/page-report.ts'
import type { SourceRow } from '#store/sources/sources.ts'

/** Sources of a server in the owner's view. Shows that credentials exist, but not their values. */
export async function presentSources(db: Db, serverId: string, sources: readonly SourceRow[]) {
  const withCredential = await sourcesWithCredential(db, serverId)
  return Promise.all(sources.map((source) => presentSource(db, source, withCredential.has(source.id))))
}

export async function presentSource(
  db: Db,
  { crawlError, refreshState, ...source }: SourceRow,
  hasCredential: boolean,
) {
  const reasons = source.pagesSkipped + source.pagesFailed > 0 ? await countReasons(db, source.id) : []
  const refresh = refreshState === null ? null : (JSON.parse(refreshState) as { unchanged: number; notFetched: number })
  return {
    ...isoTimes(source),
    ...(crawlError === null ? {} : { crawlError }),
    ...(refresh && refresh.unchanged > 0 ? { refresh } : {}),
    pagesDiscovered: source.pagesFound,
    skipped: reasons.map(({ reason, pages, detail }) => ({ reason, pages, example: detail })),
    include: JSON.parse(source.includePatterns) as string[],
    exclude: JSON.parse(source.excludePatterns) as string[],
    isPrivate: source.isPrivate === 1,
    hasCredential: hasCredential || source.sealedUrl !== null,
    allowedTools: JSON.parse(source.allowedTools) as string[],
  }
}
