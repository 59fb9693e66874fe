import { type Insertable, sql } from 'kysely'
import { compactSketch, sketchOf } from '#lib/duration-sketch.ts'
import type { Db } from '#store/db.ts'
import { insertMany } from '#store/engine/insert-many.ts'
import { prepared } from '#store/engine/prepared.ts'
import type { Schema } from '#store/schema.ts'
import { type CountedName, createCountedNames } from './counted-names.ts'

type Hour = Insertable<Schema['callHours']>
type Day = Insertable<Schema['callDays']>

const HOUR_MS = 60 * 60 * 1000
/**
 * Durations appended to a row before its sketch is compacted. Appending needs no read, but rewrites the row: it stays
 * below 1 kB.
 */
const APPENDED = 256
/** Rows whose appended durations are counted, about 200 bytes each. */
const MAX_ROWS = 10_000

const KEYS = ['tool', 'clientName', 'clientVersion', 'configurationId', 'status'] as const
const COUNTS = ['calls', 'durationMs', 'durations', 'lastAt'] as const

/** Sums of stored counts and those of an insertion. */
export const added = (table: 'call_hours' | 'call_days' | 'call_groups') => {
  const stored = (column: string) => sql.ref(`${table}.${column}`)
  return {
    calls: sql<number>`${stored('calls')} + excluded.calls`,
    durationMs: sql<number>`${stored('duration_ms')} + excluded.duration_ms`,
    durations: sql<string>`${stored('durations')} || excluded.durations`,
    lastAt: sql<number>`case when ${stored('last_at')} > excluded.last_at then ${stored('last_at')} else excluded.last_at end`,
  }
}

const addHours = insertMany('callHours', ['serverId', 'hour', ...KEYS, ...COUNTS], (insert) =>
  insert.onConflict((conflict) => conflict.columns(['serverId', 'hour', ...KEYS]).doUpdateSet(added('call_hours'))),
)

/** Adds counts of days. A key may occur only once per call. */
export const addDays: (tx: Db, days: readonly Day[]) => Promise<void> = insertMany(
  'callDays',
  ['serverId', 'day', ...KEYS, ...COUNTS],
  (insert) =>
    insert.onConflict((conflict) => conflict.columns(['serverId', 'day', ...KEYS]).doUpdateSet(added('call_days'))),
)

type Key = readonly [serverId: string, hour: number, ...key: string[]]
const PLACEHOLDERS: Key = ['', 0, '', '', '', '', '']

const rowOf = (db: Db, [serverId, hour, ...key]: Key) => {
  const row = db.selectFrom('callHours').select('durations').where('serverId', '=', serverId).where('hour', '=', hour)
  return KEYS.reduce((query, column, at) => query.where(column, '=', key[at] as never), row)
}
const readDurations = prepared(PLACEHOLDERS, (db, key) => rowOf(db, key))
const writeDurations = prepared<readonly [string, ...Key], unknown>(
  ['', ...PLACEHOLDERS],
  (db, [durations, serverId, hour, ...key]) =>
    KEYS.reduce(
      (query, column, at) => query.where(column, '=', key[at] as never),
      db.updateTable('callHours').set({ durations }).where('serverId', '=', serverId).where('hour', '=', hour),
    ),
)

/** A call to count. `isUnknown`: the server has no tool of this name. */
export type CountedCall = {
  serverId: string
  at: number
  day: number
  tool: string
  clientName: string | null
  clientVersion: string | null
  configurationId: string | null
  status: 'ok' | 'error'
  durationMs: number
  isUnknown?: true
}

/** Counts calls by hour in the caller's transaction. */
export type CountCalls = (tx: Db, calls: readonly CountedCall[]) => Promise<void>

/**
 * Folds calls into the counts of their hours, one row for each combination of tool, client, configuration and outcome.
 * Rows are written in a fixed order, so that concurrent nodes wait for each other instead of deadlocking.
 */
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

function addCall(hours: Map<string, Hour>, call: CountedCall, { tool, clientName, clientVersion }: CountedName): void {
  const { serverId, at, configurationId, status, durationMs } = call
  const hour = Math.floor(at / HOUR_MS)
  // No part has a line break.
  const key = `${serverId}\n${hour}\n${tool}\n${clientName}\n${clientVersion}\n${configurationId ?? ''}\n${status}`
  const count = hours.get(key)
  if (count) {
    count.calls += 1
    count.durationMs += durationMs
    count.durations += sketchOf(durationMs)
    count.lastAt = Math.max(count.lastAt, at)
    return
  }
  const names = { tool, clientName, clientVersion, configurationId: configurationId ?? '', status }
  hours.set(key, { serverId, hour, ...names, calls: 1, durationMs, durations: sketchOf(durationMs), lastAt: at })
}

/** The transaction has just written the row and so holds its lock. */
async function compact(tx: Db, { serverId, hour, ...values }: Hour): Promise<void> {
  const key: Key = [serverId, hour, ...KEYS.map((column) => values[column])]
  const [row] = await readDurations(tx, key)
  if (row) await writeDurations(tx, [compactSketch(row.durations), ...key])
}
