import { type Insertable, sql } from 'kysely'
import type { Db } from '#store/db.ts'
import { insertMany } from '#store/engine/insert-many.ts'
import { presentIds } from '#store/engine/present-ids.ts'
import type { Schema } from '#store/schema.ts'

type CallRow = Insertable<Schema['calls']>
/** `isUnknown`: the server has no tool of this name. */
export type LoggedRow = CallRow & { isUnknown?: true }
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

const addDays = insertMany('callDays', ['serverId', 'day', 'tool', 'calls', 'failed', 'durationMs'], (insert) =>
  insert.onConflict((conflict) =>
    conflict.columns(['serverId', 'day', 'tool']).doUpdateSet({
      calls: sql<number>`call_days.calls + excluded.calls`,
      failed: sql<number>`call_days.failed + excluded.failed`,
      durationMs: sql<number>`call_days.duration_ms + excluded.duration_ms`,
    }),
  ),
)
const addSourceUses = insertMany('sourceUses', ['sourceId', 'calls', 'citations', 'lastCitedAt'], (insert) =>
  insert.onConflict((conflict) =>
    conflict.column('sourceId').doUpdateSet({
      calls: sql<number>`source_uses.calls + excluded.calls`,
      citations: sql<number>`source_uses.citations + excluded.citations`,
      lastCitedAt: sql<number>`case when source_uses.last_cited_at > excluded.last_cited_at
        then source_uses.last_cited_at else excluded.last_cited_at end`,
    }),
  ),
)
const presentServers = presentIds('servers')
const presentSources = presentIds('sources')
const presentCalls = presentIds('calls')

/** Citations deleted per statement. */
const DELETED_AT_ONCE = 300

/**
 * Distinct tool names counted per server. Beyond that, names of unknown tools are counted together as {@link
 * OTHER_TOOLS}: counts are permanent, and clients can invent names.
 */
const COUNTED_NAMES = 40
/** Not a valid tool name: those are lower-case words. */
const OTHER_TOOLS = '(other)'

/**
 * Writes calls with their citations to the request log, and counts them by day, tool and source, in the caller's
 * transaction. Rows of deleted servers or sources are skipped. Counters are written in a fixed order, so that
 * concurrent nodes wait for each other instead of deadlocking.
 */
export async function writeCalls(tx: Db, given: readonly LoggedRow[], cited: readonly CitationRow[]): Promise<void> {
  const servers = await presentServers(tx, new Set(given.map(({ serverId }) => serverId)))
  const sources = await presentSources(tx, new Set(cited.map(({ sourceId }) => sourceId)))
  const rows = given.filter(({ serverId }) => servers.has(serverId))
  const times = new Map(rows.map(({ id, at }) => [id, at]))
  const citations = cited.filter(({ callId, sourceId }) => times.has(callId) && sources.has(sourceId))
  await insertCalls(tx, rows)
  await insertCitations(tx, citations)
  await addDays(tx, countDays(await underCountedNames(tx, rows)))
  await addSourceUses(tx, countSources(citations, times))
}

/** True if any of these calls is in the request log. If they were written in one transaction, then all are. */
export async function areWritten(tx: Db, callIds: readonly string[]): Promise<boolean> {
  return (await presentCalls(tx, new Set(callIds))).size > 0
}

/** Maps calls of unknown tools to their counted names, within the limit of their server. */
async function underCountedNames(tx: Db, rows: readonly LoggedRow[]): Promise<readonly LoggedRow[]> {
  if (!rows.some(({ isUnknown }) => isUnknown)) return rows
  const names = new Map<string, Set<string>>()
  for (const { serverId, tool, isUnknown } of rows) {
    if (isUnknown && !names.has(serverId)) names.set(serverId, await countedNames(tx, serverId))
    if (!isUnknown) names.get(serverId)?.add(tool)
  }
  return rows.map((row) => {
    const counted = row.isUnknown && names.get(row.serverId)
    if (!counted || counted.has(row.tool)) return row
    if (counted.size >= COUNTED_NAMES) return { ...row, tool: OTHER_TOOLS }
    counted.add(row.tool)
    return row
  })
}

async function countedNames(tx: Db, serverId: string): Promise<Set<string>> {
  const rows = await tx.selectFrom('callDays').select('tool').distinct().where('serverId', '=', serverId).execute()
  return new Set(rows.map(({ tool }) => tool))
}

type Day = Schema['callDays']

function countDays(rows: readonly LoggedRow[]): Day[] {
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

type Uses = Schema['sourceUses']

function countSources(citations: readonly CitationRow[], times: ReadonlyMap<string, number>): Uses[] {
  const uses = new Map<string, Uses & { last: string }>()
  for (const { callId, sourceId } of citations) {
    const count = uses.get(sourceId) ?? { sourceId, calls: 0, citations: 0, lastCitedAt: 0, last: '' }
    // A call's citations are consecutive, so a new call id means a further call.
    if (count.last !== callId) count.calls += 1
    count.citations += 1
    count.lastCitedAt = Math.max(count.lastCitedAt, times.get(callId) ?? 0)
    count.last = callId
    uses.set(sourceId, count)
  }
  return inKeyOrder(uses).map(({ last: _, ...use }) => use)
}

/** Deletes some logged citations of a source. Returns their number, 0 if none are left. */
export async function deleteCitations(tx: Db, sourceId: string): Promise<number> {
  const some = tx.selectFrom('callCitations').select('callId').where('sourceId', '=', sourceId).limit(DELETED_AT_ONCE)
  const { numDeletedRows } = await tx
    .deleteFrom('callCitations')
    .where('sourceId', '=', sourceId)
    .where('callId', 'in', some)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

const inKeyOrder = <T>(counts: ReadonlyMap<string, T>): T[] =>
  [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, count]) => count)
