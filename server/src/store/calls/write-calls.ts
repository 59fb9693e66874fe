import type { Selectable } from 'kysely'
import type { Db } from '#store/db.ts'
import { insertMany, presentIds } from '#store/engine/prepared.ts'
import { laterOf, sumsOf } from '#store/rows.ts'
import type { Schema } from '#store/schema.ts'
import { type LoggedCitation, type PageIds, citationKey, lockSources, referTo, writeReferences } from './cited-pages.ts'
import { type CountCalls, createCallCounter } from './count-calls.ts'

/** A call to log, with the citations in it. `isUnknown`: the server has no tool of this name. */
export type LoggedRow = Omit<Selectable<Schema['calls']>, 'seq' | 'pageCitations'> & {
  cited: readonly LoggedCitation[]
  isUnknown?: true
}

const WHO = ['serverId', 'clientName', 'clientVersion', 'configurationId', 'endUserId'] as const
const ASKED = ['id', 'at', 'day', 'tool', 'arguments', 'query'] as const
const ANSWERED = ['outcome', 'durationMs', 'error', 'confidence', 'segments', 'pageCitations'] as const
const insertCalls = insertMany('calls', [...WHO, ...ASKED, ...ANSWERED])

const addSourceUses = insertMany('sourceUses', ['sourceId', 'calls', 'citations', 'lastCitedAt'], (insert) =>
  insert.onConflict((conflict) =>
    conflict.column('sourceId').doUpdateSet({
      ...sumsOf('sourceUses', 'calls', 'citations'),
      lastCitedAt: laterOf('sourceUses', 'lastCitedAt'),
    }),
  ),
)
const presentServers = presentIds('servers')
const presentCalls = presentIds('calls')

type Written = { pageIds?: PageIds; countCalls?: CountCalls }

/**
 * Writes calls of existing servers to the log and counts them, in a fixed order, so that nodes do not deadlock. The log
 * has the citations whose page is among `pageIds`.
 */
export async function writeCalls(tx: Db, given: readonly LoggedRow[], { pageIds, countCalls }: Written = {}) {
  const servers = await presentServers(tx, new Set(given.map(({ serverId }) => serverId)))
  const cited = given.flatMap((call) => call.cited.map(({ sourceId }) => sourceId))
  const sources = await lockSources(tx, new Set(cited))
  const rows = given.filter(({ serverId }) => servers.has(serverId)).map((row) => citingOnly(sources, row))
  await insertCalls(
    tx,
    rows.map((row) => {
      const pageCitations = writeReferences(referTo(row.cited, (one) => pageIds?.get(citationKey(one))))
      return { ...row, arguments: shortenArguments(row), pageCitations }
    }),
  )
  await (countCalls ?? createCallCounter())(tx, rows)
  await addSourceUses(tx, countSources(rows))
}

/** Stands for the query within stored arguments. JSON never has this character, so that this can be undone. */
const QUERY = '\u0001'

type Asked = Pick<LoggedRow, 'arguments' | 'query'>

/** The arguments of nearly every call are the query, which is stored beside them. */
export function shortenArguments({ arguments: given, query }: Asked): string {
  return query === null ? given : given.replace(JSON.stringify(query), () => QUERY)
}

/** The arguments of a stored call as JSON. */
export function readArguments({ arguments: stored, query }: Asked): string {
  return stored.replace(QUERY, () => JSON.stringify(query))
}

function citingOnly(sources: ReadonlySet<string>, row: LoggedRow): LoggedRow {
  if (row.cited.every(({ sourceId }) => sources.has(sourceId))) return row
  return { ...row, cited: row.cited.filter(({ sourceId }) => sources.has(sourceId)) }
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
  return [...uses.values()].toSorted((a, b) => (a.sourceId < b.sourceId ? -1 : 1))
}
