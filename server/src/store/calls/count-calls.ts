import { type Insertable, type Selectable, sql } from 'kysely'
import { compactSketch, sketchOf } from '#lib/duration-sketch.ts'
import type { Db } from '#store/db.ts'
import { rememberRecent } from '#lib/objects.ts'
import { insertMany } from '#store/engine/prepared.ts'
import { findRow, laterOf, sumsOf, updateRows } from '#store/rows.ts'
import type { Schema } from '#store/schema.ts'

type Hour = Insertable<Schema['callHours']>
const HOUR_MS = 60 * 60 * 1000
/** Durations appended to a row before its sketch is compacted. Appending rewrites the row: it stays below 1 kB. */
const APPENDED = 256
/** Rows whose appended durations are counted, about 200 bytes each. */
const MAX_ROWS = 10_000

const KEYS = ['tool', 'clientName', 'clientVersion', 'configurationId', 'outcome'] as const
const COUNTS = ['calls', 'durationMs', 'durations', 'lastAt'] as const

/** Sums of stored counts and those of an insertion. */
export const added = (table: 'callHours' | 'callDays' | 'callGroups') => ({
  ...sumsOf(table, 'calls', 'durationMs'),
  durations: sql<string>`${sql.ref(`${table}.durations`)} || excluded.durations`,
  lastAt: laterOf(table, 'lastAt'),
})

const addHours = insertMany('callHours', ['serverId', 'hour', ...KEYS, ...COUNTS], (insert) =>
  insert.onConflict((conflict) => conflict.columns(['serverId', 'hour', ...KEYS]).doUpdateSet(added('callHours'))),
)

/** Adds counts of days. A key may occur only once per call. */
export const addDays: (tx: Db, days: readonly Insertable<Schema['callDays']>[]) => Promise<void> = insertMany(
  'callDays',
  ['serverId', 'day', ...KEYS, ...COUNTS],
  (insert) =>
    insert.onConflict((conflict) => conflict.columns(['serverId', 'day', ...KEYS]).doUpdateSet(added('callDays'))),
)

/** A call to count. `isUnknown`: the server has no tool of this name. */
type CountedCall = Pick<Selectable<Schema['calls']>, 'serverId' | 'at' | 'day' | 'tool' | 'outcome' | 'durationMs'> &
  Record<'clientName' | 'clientVersion' | 'configurationId', string | null> & { isUnknown?: true }

/** Counts calls by hour in the caller's transaction. */
export type CountCalls = (tx: Db, calls: readonly CountedCall[]) => Promise<void>

/** Folds calls into counts by hour, tool, client, configuration and outcome, in an order that cannot deadlock. */
export function createCallCounter(): CountCalls {
  const countedNames = createCountedNames()
  const appended = new Map<string, number>()
  return async (tx, calls) => {
    const hours = new Map<string, Hour>()
    const nameOf = await countedNames(tx, calls)
    for (const call of calls) addCall(hours, call, nameOf(call))
    const sorted = [...hours].toSorted(([a], [b]) => (a < b ? -1 : 1))
    await addHours(
      tx,
      sorted.map(([, hour]) => hour),
    )
    if (appended.size > MAX_ROWS) appended.clear()
    for (const [key, hour] of sorted) {
      const since = (appended.get(key) ?? 0) + hour.calls
      appended.set(key, since > APPENDED ? 0 : since)
      if (since > APPENDED) await compact(tx, hour)
    }
  }
}

type CountedName = { tool: string; clientName: string; clientVersion: string }

function addCall(hours: Map<string, Hour>, call: CountedCall, { tool, clientName, clientVersion }: CountedName): void {
  const { serverId, at, configurationId, outcome, durationMs } = call
  const hour = Math.floor(at / HOUR_MS)
  // No part has a line break.
  const key = `${serverId}\n${hour}\n${tool}\n${clientName}\n${clientVersion}\n${configurationId ?? ''}\n${outcome}`
  const count = hours.get(key)
  if (count) {
    count.calls += 1
    count.durationMs += durationMs
    count.durations += sketchOf(durationMs)
    count.lastAt = Math.max(count.lastAt, at)
    return
  }
  const names = { tool, clientName, clientVersion, configurationId: configurationId ?? '', outcome }
  hours.set(key, { serverId, hour, ...names, calls: 1, durationMs, durations: sketchOf(durationMs), lastAt: at })
}

/** The transaction has just written the row and so holds its lock. */
async function compact(tx: Db, count: Hour): Promise<void> {
  const { serverId, hour, tool, clientName, clientVersion, configurationId, outcome } = count
  const key = { serverId, hour, tool, clientName, clientVersion, configurationId, outcome }
  const row = await findRow(tx, 'callHours', key)
  if (row) await updateRows(tx, 'callHours', key, { durations: compactSketch(row.durations) })
}

/** Names counted per server (clients: per day). The rest is {@link OTHER}, because callers can invent names. */
const MAX_TOOLS = 40
const MAX_CLIENTS = 200
/** Not a valid tool name: those are lower-case words. */
const OTHER = '(other)'

/** Servers whose names are kept in memory, at most 30 kB each. More than a batch of calls can have. */
const KEPT_SERVERS = 1_000

const HOURS_PER_DAY = 24

/** `tools` has all counted names only after the first call of an unknown tool. */
type Names = { day: number; clients: Set<string>; tools: Set<string>; hasAllTools: boolean }

/** Reads the names of servers that it does not know. On PostgreSQL, the limit of clients applies to each node. */
function createCountedNames() {
  const known = new Map<string, Names>()
  return async (tx: Db, calls: readonly CountedCall[]) => {
    for (const { serverId, day, isUnknown } of calls) {
      let names = known.get(serverId)
      if (names?.day !== day) {
        names = { day, clients: await countedClients(tx, serverId, day), tools: new Set(), hasAllTools: false }
        rememberRecent(known, serverId, names, KEPT_SERVERS)
      }
      if (isUnknown && !names.hasAllTools) {
        for (const name of await countedTools(tx, serverId)) names.tools.add(name)
        names.hasAllTools = true
      }
    }
    return (call: CountedCall): CountedName => nameWithin(known.get(call.serverId), call)
  }
}

function nameWithin(names: Names | undefined, { serverId, tool, isUnknown, ...call }: CountedCall): CountedName {
  if (!names) throw new Error(`The names of ${serverId} were not read.`)
  const [clientName, clientVersion] = [call.clientName ?? '', call.clientVersion ?? '']
  const isCounted = withinLimit(names.clients, clientKey(clientName, clientVersion), MAX_CLIENTS)
  const client = isCounted ? { clientName, clientVersion } : { clientName: OTHER, clientVersion: '' }
  if (isUnknown) return { tool: withinLimit(names.tools, tool, MAX_TOOLS) ? tool : OTHER, ...client }
  names.tools.add(tool)
  return { tool, ...client }
}

/** Names have no control characters. */
const clientKey = (name: string, version: string): string => `${name}\n${version}`

/** Adds the name if there is room. Returns false if it is neither present nor added. */
function withinLimit(names: Set<string>, name: string, most: number): boolean {
  if (names.has(name)) return true
  if (names.size >= most) return false
  names.add(name)
  return true
}

async function countedClients(tx: Db, serverId: string, day: number): Promise<Set<string>> {
  const clients = tx.selectFrom('callHours').select(['clientName', 'clientVersion']).distinct()
  const today = clients.where('serverId', '=', serverId).where('hour', '>=', day * HOURS_PER_DAY)
  return new Set((await today.execute()).map(({ clientName, clientVersion }) => clientKey(clientName, clientVersion)))
}

async function countedTools(tx: Db, serverId: string): Promise<string[]> {
  const hours = tx.selectFrom('callHours').select('tool').where('serverId', '=', serverId)
  const groups = tx.selectFrom('callGroups').where('serverId', '=', serverId).where('dimension', '=', 'tool')
  return (await hours.union(groups.select('name as tool')).execute()).map(({ tool }) => tool)
}
