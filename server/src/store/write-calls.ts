import { type Insertable, sql } from 'kysely'
import type { Db } from './db.ts'
import { insertMany } from './insert-many.ts'
import type { Schema } from './schema.ts'

export type CallRow = Insertable<Schema['calls']>
export type CitationRow = Schema['callCitations']

const insertCalls = insertMany('calls', [
  'id',
  'serverId',
  'at',
  'day',
  'tool',
  'arguments',
  'query',
  'clientName',
  'clientVersion',
  'status',
  'durationMs',
  'error',
  'confidence',
  'segments',
])
const insertCitations = insertMany('callCitations', ['callId', 'position', 'rank', 'sourceId', 'url', 'title', 'score'])

/** Rows in one statement: 300 calls or 700 citations stay below what PostgreSQL takes as parameters. */
const ROWS_AT_ONCE = 300

/**
 * Writes calls into the request log with their citations, and counts them by day, tool and source, in the caller's
 * transaction. What names a server or a source that has gone meanwhile is left out. Counters are written in a fixed
 * order, so that nodes that write at the same moment wait for each other and do not deadlock.
 */
export async function writeCalls(tx: Db, given: readonly CallRow[], cited: readonly CitationRow[]): Promise<void> {
  const servers = await present(tx, 'servers', new Set(given.map(({ serverId }) => serverId)))
  const sources = await present(tx, 'sources', new Set(cited.map(({ sourceId }) => sourceId)))
  const rows = given.filter(({ serverId }) => servers.has(serverId))
  const times = new Map(rows.map(({ id, at }) => [id, at]))
  const citations = cited.filter(({ callId, sourceId }) => times.has(callId) && sources.has(sourceId))
  await insertCalls(tx, rows)
  await insertCitations(tx, citations)
  for (const part of chunked(countDays(rows))) await addDays(tx, part)
  for (const part of chunked(countSources(citations, times))) await addSourceUses(tx, part)
}

async function present(tx: Db, table: 'servers' | 'sources', ids: ReadonlySet<string>): Promise<Set<string>> {
  if (ids.size === 0) return new Set()
  const rows = await tx
    .selectFrom(table)
    .select('id')
    .where('id', 'in', [...ids])
    .execute()
  return new Set(rows.map(({ id }) => id))
}

type Day = Schema['callDays']

function countDays(rows: readonly CallRow[]): Day[] {
  const days = new Map<string, Day>()
  for (const { serverId, day, tool, status, durationMs } of rows) {
    const key = `${serverId} ${day} ${tool}`
    const count = days.get(key) ?? { serverId, day, tool, calls: 0, failed: 0, durationMs: 0 }
    count.calls += 1
    count.failed += status === 'error' ? 1 : 0
    count.durationMs += durationMs
    days.set(key, count)
  }
  return inKeyOrder(days)
}

async function addDays(tx: Db, days: readonly Day[]): Promise<void> {
  await tx
    .insertInto('callDays')
    .values(days)
    .onConflict((conflict) =>
      conflict.columns(['serverId', 'day', 'tool']).doUpdateSet({
        calls: sql<number>`call_days.calls + excluded.calls`,
        failed: sql<number>`call_days.failed + excluded.failed`,
        durationMs: sql<number>`call_days.duration_ms + excluded.duration_ms`,
      }),
    )
    .execute()
}

type Uses = Schema['sourceUses']

function countSources(citations: readonly CitationRow[], times: ReadonlyMap<string, number>): Uses[] {
  const uses = new Map<string, Uses & { last: string }>()
  for (const { callId, sourceId } of citations) {
    const count = uses.get(sourceId) ?? { sourceId, calls: 0, citations: 0, lastCitedAt: 0, last: '' }
    // A call's citations come one after the other, so that a change of call is a further call.
    if (count.last !== callId) count.calls += 1
    count.citations += 1
    count.lastCitedAt = Math.max(count.lastCitedAt, times.get(callId) ?? 0)
    count.last = callId
    uses.set(sourceId, count)
  }
  return inKeyOrder(uses).map(({ last: _, ...use }) => use)
}

async function addSourceUses(tx: Db, uses: readonly Uses[]): Promise<void> {
  await tx
    .insertInto('sourceUses')
    .values(uses)
    .onConflict((conflict) =>
      conflict.column('sourceId').doUpdateSet({
        calls: sql<number>`source_uses.calls + excluded.calls`,
        citations: sql<number>`source_uses.citations + excluded.citations`,
        lastCitedAt: sql<number>`case when source_uses.last_cited_at > excluded.last_cited_at
          then source_uses.last_cited_at else excluded.last_cited_at end`,
      }),
    )
    .execute()
}

/** Deletes some of what the log holds of citations of a source, and says how many; 0 when none is left. */
export async function deleteCitations(tx: Db, sourceId: string): Promise<number> {
  const some = tx.selectFrom('callCitations').select('callId').where('sourceId', '=', sourceId).limit(ROWS_AT_ONCE)
  const { numDeletedRows } = await tx
    .deleteFrom('callCitations')
    .where('sourceId', '=', sourceId)
    .where('callId', 'in', some)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

const inKeyOrder = <T>(counts: ReadonlyMap<string, T>): T[] =>
  [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, count]) => count)

function* chunked<T>(rows: readonly T[]): Generator<T[]> {
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) yield rows.slice(from, from + ROWS_AT_ONCE)
}
