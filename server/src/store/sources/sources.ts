import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db } from '#store/db.ts'
import type { Schema } from '#store/schema.ts'
import { findRow, insertRow, listRows, updateRows } from '#store/rows.ts'

export type SourceRow = Selectable<Schema['sources']>

export const insertSourceRow = (tx: Db, source: Insertable<Schema['sources']>) => insertRow(tx, 'sources', source)

/** In order of creation. */
export const listSources = (db: Db, serverId: string) => listRows(db, 'sources', { serverId }, ['createdAt'])

export const findSource = (db: Db, serverId: string, id: string) => findRow(db, 'sources', { id, serverId })

/** The source with its server, if that is live. */
export const findLiveSource = (db: Db, id: string): Promise<SourceRow | undefined> =>
  liveSources(db).selectAll('sources').where('sources.id', '=', id).executeTakeFirst()

type SourceValues = Partial<Omit<SourceRow, 'id' | 'serverId' | 'createdAt'>>
export const updateSourceRow = (db: Db, id: string, values: SourceValues) => updateRows(db, 'sources', { id }, values)

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
  pdfPages: null,
} as const

/** A source row before its first crawl. */
export function newSourceRow(given: Pick<SourceRow, 'id' | 'serverId' | 'url' | 'type' | 'label' | 'createdAt'>) {
  const uncrawled = { crawlStatus: 'pending', crawlError: null, run: 0, crawlStartedAt: null } as const
  return { ...given, ...NO_CONTENT, ...uncrawled, isPrivate: 0 }
}

/** Saves a crawl's counts and usage. False if the source is gone or its server deleted: the crawl must end. */
export function saveCounts(
  tx: Db,
  id: string,
  counts: { queued: number; indexed: number; skipped: number; failed: number; toGo: number },
  crawlUsage: string,
): Promise<boolean> {
  // Correlated with this row's server. A list of all live servers would be rebuilt for each batch of pages.
  const ofLive = () =>
    sql<boolean>`exists (select 1 from servers where servers.id = sources.server_id and deleted_at is null)`
  const values = {
    pagesFound: counts.queued + counts.indexed + counts.skipped + counts.failed,
    pagesToGo: counts.toGo,
    pagesIndexed: counts.indexed,
    pagesSkipped: counts.skipped,
    pagesFailed: counts.failed,
    crawlUsage,
  }
  return updateRows(tx, 'sources', { id, serverId: ofLive }, values)
}

/** The sources whose address may have a credential that is not encrypted. */
export const readableAddresses = (db: Db): Promise<Pick<SourceRow, 'id' | 'serverId' | 'url'>[]> =>
  db
    .selectFrom('sources')
    .select(['id', 'serverId', 'url'])
    .where('sealedUrl', 'is', null)
    .where((is) => is.or([is('url', 'like', 'http%?%=%'), is('url', 'like', 'http%@%')]))
    .execute()

export const findSourceById = (db: Db, id: string) => findRow(db, 'sources', { id })

/** The sources of servers that are not deleted. */
export const liveSources = (db: Db) =>
  db.selectFrom('sources').innerJoin('servers', 'servers.id', 'sources.serverId').where('servers.deletedAt', 'is', null)

export type SourceUsage = { serverId: string; sources: number; credits: number }
type Place = { serverId: string; createdAt: number }

/** Servers per read: about 2 ms on SQLite, which blocks everything else. */
const SLICE = 200

/** Source count and purchased sources of every live server of the account, oldest first. */
export async function sourceUsage(db: Db, accountId: string): Promise<SourceUsage[]> {
  const all: SourceUsage[] = []
  for (let after: Place | undefined = { serverId: '', createdAt: -1 }; after;) {
    const rows = await readSlice(db, accountId, after)
    for (const { serverId, sources, credits } of rows) all.push({ serverId, sources, credits })
    after = rows.length === SLICE ? rows.at(-1) : undefined
    // Otherwise SQLite would read all slices in one turn of the event loop.
    if (after) await nextTurn()
  }
  return all
}

function readSlice(db: Db, accountId: string, after: Place): Promise<(SourceUsage & Place)[]> {
  return db
    .selectFrom('servers')
    .leftJoin('sources', 'sources.serverId', 'servers.id')
    .leftJoin('sourceCredits', 'sourceCredits.serverId', 'servers.id')
    .select([
      'servers.id as serverId',
      'servers.createdAt',
      sql<number>`count(sources.id)`.as('sources'),
      sql<number>`coalesce(max(source_credits.credits), 0)`.as('credits'),
    ])
    .where('accountId', '=', accountId)
    .where('deletedAt', 'is', null)
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple('servers.createdAt', 'servers.id'), '>', tuple(after.createdAt, after.serverId)),
    )
    .groupBy(['servers.id', 'servers.createdAt'])
    .orderBy('servers.createdAt')
    .orderBy('servers.id')
    .limit(SLICE)
    .execute()
}

/** The plan of a source's account, and the text bytes of its server's other sources. */
export async function findSourceRoom(db: Db, { id, serverId }: { id: string; serverId: string }) {
  return db
    .selectFrom('servers')
    .innerJoin('accounts', 'accounts.id', 'servers.accountId')
    .leftJoin('sources', (join) => join.onRef('sources.serverId', '=', 'servers.id').on('sources.id', '!=', id))
    .select(['accounts.plan', sql<number>`coalesce(sum(sources.text_bytes), 0)`.as('otherBytes')])
    .where('servers.id', '=', serverId)
    .groupBy('accounts.plan')
    .executeTakeFirst()
}
