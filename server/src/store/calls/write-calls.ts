import { type Insertable, sql } from 'kysely'
import type { Db } from '#store/db.ts'
import { insertMany } from '#store/engine/insert-many.ts'
import { presentIds } from '#store/engine/present-ids.ts'
import type { Schema } from '#store/schema.ts'
import { type LoggedCitation, writeCitations } from './citations.ts'

type CallRow = Insertable<Schema['calls']>
/** A call with its citations. `isUnknown`: the server has no tool of this name. */
export type LoggedRow = Omit<CallRow, 'citations'> & { citations: readonly LoggedCitation[]; isUnknown?: true }

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
  'citations',
])

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
/** Locked until the transaction ends, so that the deletion of a source finds all of its citations. */
const presentSources = presentIds('sources', 'locked')
const presentCalls = presentIds('calls')

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
export async function writeCalls(tx: Db, given: readonly LoggedRow[]): Promise<void> {
  const servers = await presentServers(tx, new Set(given.map(({ serverId }) => serverId)))
  const cited = given.flatMap(({ citations }) => citations.map(({ sourceId }) => sourceId))
  const sources = await presentSources(tx, new Set(cited))
  const rows = given
    .filter(({ serverId }) => servers.has(serverId))
    .map((row) => ({ ...row, citations: row.citations.filter(({ sourceId }) => sources.has(sourceId)) }))
  await insertCalls(
    tx,
    rows.map((row) => ({ ...row, citations: writeCitations(row.citations) })),
  )
  await addDays(tx, countDays(await underCountedNames(tx, rows)))
  await addSourceUses(tx, countSources(rows))
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

function countSources(rows: readonly LoggedRow[]): Uses[] {
  const uses = new Map<string, Uses>()
  for (const { at, citations } of rows) {
    for (const sourceId of new Set(citations.map((citation) => citation.sourceId))) {
      const count = uses.get(sourceId) ?? { sourceId, calls: 0, citations: 0, lastCitedAt: 0 }
      count.calls += 1
      count.citations += citations.filter((citation) => citation.sourceId === sourceId).length
      count.lastCitedAt = Math.max(count.lastCitedAt, at)
      uses.set(sourceId, count)
    }
  }
  return inKeyOrder(uses)
}

const inKeyOrder = <T>(counts: ReadonlyMap<string, T>): T[] =>
  [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, count]) => count)
