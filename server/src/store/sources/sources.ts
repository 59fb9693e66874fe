import type { Insertable, Selectable } from 'kysely'
import type { Db } from '#store/db.ts'
import type { Schema } from '#store/schema.ts'
import { updatesRow } from '#store/engine/changed-row.ts'
import { liveSources } from './live-sources.ts'

export type SourceRow = Selectable<Schema['sources']>

export async function insertSourceRow(tx: Db, source: Insertable<Schema['sources']>): Promise<void> {
  await tx.insertInto('sources').values(source).execute()
}

/** In order of creation. */
export async function listSources(db: Db, serverId: string): Promise<SourceRow[]> {
  return db
    .selectFrom('sources')
    .selectAll()
    .where('serverId', '=', serverId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
}

export async function findSource(db: Db, serverId: string, id: string): Promise<SourceRow | undefined> {
  return db.selectFrom('sources').selectAll().where('id', '=', id).where('serverId', '=', serverId).executeTakeFirst()
}

/** The source with its server, if that is live. */
export async function findLiveSource(db: Db, id: string): Promise<SourceRow | undefined> {
  return liveSources(db).selectAll('sources').where('sources.id', '=', id).executeTakeFirst()
}

export async function updateSourceRow(
  db: Db,
  id: string,
  values: Partial<Omit<SourceRow, 'id' | 'serverId' | 'createdAt'>>,
): Promise<void> {
  await db.updateTable('sources').set(values).where('id', '=', id).execute()
}

/** Columns of a source without content. */
export const NO_CONTENT = {
  segments: '[]',
  pagesFound: 0,
  pagesToGo: 0,
  pagesIndexed: 0,
  pagesSkipped: 0,
  pagesFailed: 0,
  chunks: 0,
  textBytes: 0,
  lastIndexedAt: null,
} as const

/** A source row before its first crawl. */
export function newSourceRow(
  given: Pick<SourceRow, 'id' | 'serverId' | 'url' | 'type' | 'label' | 'createdAt'>,
): Insertable<Schema['sources']> & { id: string; serverId: string } {
  return {
    ...given,
    ...NO_CONTENT,
    isPrivate: 0,
    crawlStatus: 'pending',
    crawlError: null,
    run: 0,
    crawlStartedAt: null,
  }
}

/** Saves a crawl's counts and usage. False if the source is gone or its server deleted: the crawl must end. */
export async function saveCounts(
  tx: Db,
  sourceId: string,
  counts: { queued: number; indexed: number; skipped: number; failed: number; toGo: number },
  crawlUsage: string,
): Promise<boolean> {
  return updatesRow(
    tx
      .updateTable('sources')
      .set({
        pagesFound: counts.queued + counts.indexed + counts.skipped + counts.failed,
        pagesToGo: counts.toGo,
        pagesIndexed: counts.indexed,
        pagesSkipped: counts.skipped,
        pagesFailed: counts.failed,
        crawlUsage,
      })
      .where('id', '=', sourceId)
      // Correlated with this row's server. A list of all live servers would be rebuilt for each batch of pages.
      .where((is) =>
        is.exists(
          is
            .selectFrom('servers')
            .select('servers.id')
            .whereRef('servers.id', '=', 'sources.serverId')
            .where('deletedAt', 'is', null),
        ),
      ),
  )
}

export async function findSourceById(db: Db, id: string): Promise<SourceRow | undefined> {
  return db.selectFrom('sources').selectAll().where('id', '=', id).executeTakeFirst()
}
