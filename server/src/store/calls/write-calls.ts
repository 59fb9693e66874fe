import { type Selectable, sql } from 'kysely'
import type { Db } from '#store/db.ts'
import { insertMany } from '#store/engine/insert-many.ts'
import { presentIds } from '#store/engine/present-ids.ts'
import type { Schema } from '#store/schema.ts'
import { type LoggedCitation, writeCitations } from './citations.ts'
import { type CountCalls, createCallCounter } from './count-calls.ts'

/** A row of the request log with the citations in it. `isUnknown`: the server has no tool of this name. */
export type LoggedRow = Omit<Selectable<Schema['calls']>, 'seq'> & {
  cited: readonly LoggedCitation[]
  isUnknown?: true
}

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
  'configurationId',
  'endUserId',
  'unanswered',
])

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
 * Writes calls with their citations to the request log, and counts them, also by source, in the caller's transaction.
 * Rows of deleted servers or sources are skipped. Counters are written in a fixed order, so that
 * concurrent nodes wait for each other instead of deadlocking.
 */
export async function writeCalls(
  tx: Db,
  given: readonly LoggedRow[],
  countCalls: CountCalls = createCallCounter(),
): Promise<void> {
  const servers = await presentServers(tx, new Set(given.map(({ serverId }) => serverId)))
  const asked = new Set<string>()
  for (const { cited } of given) for (const { sourceId } of cited) asked.add(sourceId)
  const sources = await presentSources(tx, asked)
  const rows = given.filter(({ serverId }) => servers.has(serverId)).map((row) => citingOnly(sources, row))
  await insertCalls(tx, rows)
  await countCalls(tx, rows)
  await addSourceUses(tx, countSources(rows))
}

function citingOnly(sources: ReadonlySet<string>, row: LoggedRow): LoggedRow {
  if (row.cited.every(({ sourceId }) => sources.has(sourceId))) return row
  const cited = row.cited.filter(({ sourceId }) => sources.has(sourceId))
  return { ...row, cited, citations: writeCitations(cited) }
}

/** True if any of these calls is in the request log. If they were written in one transaction, then all are. */
export async function areWritten(tx: Db, calls: readonly { id: string }[]): Promise<boolean> {
  return (await presentCalls(tx, new Set(calls.map(({ id }) => id)))).size > 0
}

type Uses = Schema['sourceUses']

function countSources(rows: readonly LoggedRow[]): Uses[] {
  const uses = new Map<string, Uses>()
  for (const { at, cited } of rows) {
    const counted = new Set<string>()
    for (const { sourceId } of cited) {
      const count = uses.get(sourceId) ?? { sourceId, calls: 0, citations: 0, lastCitedAt: 0 }
      count.citations += 1
      if (!counted.has(sourceId)) count.calls += 1
      count.lastCitedAt = Math.max(count.lastCitedAt, at)
      counted.add(sourceId)
      uses.set(sourceId, count)
    }
  }
  return inKeyOrder(uses)
}

const inKeyOrder = <T>(counts: ReadonlyMap<string, T>): T[] =>
  [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, count]) => count)
