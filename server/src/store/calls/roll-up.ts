import { compactSketch } from '#lib/duration-sketch.ts'
import type { Db } from '#store/db.ts'
import type { Schema } from '#store/schema.ts'
import { insertMany } from '#store/engine/prepared.ts'
import { deletedRows } from '#store/rows.ts'
import { addDays, added } from './count-calls.ts'

const HOURS_PER_DAY = 24

/** Days of servers per query. */
const DAYS_AT_ONCE = 100

export type HoursOfDay = { serverId: string; day: number }

/** Some days before `day` (since 1970) that have counts by hour. */
export async function daysWithHours(db: Db, day: number): Promise<HoursOfDay[]> {
  const hours = db.selectFrom('callHours').select(['serverId', 'hour']).distinct()
  const earlier = hours
    .where('hour', '<', day * HOURS_PER_DAY)
    .orderBy('hour')
    .orderBy('serverId')
  const rows = await earlier.limit(DAYS_AT_ONCE).execute()
  const days = rows.map(({ serverId, hour }) => ({ serverId, day: Math.floor(hour / HOURS_PER_DAY) }))
  return [...new Map(days.map((one) => [`${one.serverId} ${one.day}`, one])).values()]
}

/** Moves the counts of a day from its hours to the day. Each row moves once, also with concurrent calls. */
export async function moveHours(tx: Db, { serverId, day }: HoursOfDay): Promise<void> {
  const rows = await tx
    .deleteFrom('callHours')
    .where('serverId', '=', serverId)
    .where('hour', '>=', day * HOURS_PER_DAY)
    .where('hour', '<', (day + 1) * HOURS_PER_DAY)
    .returningAll()
    .execute()
  const days = sumsBy(
    ['tool', 'clientName', 'clientVersion', 'configurationId', 'outcome'],
    rows.map(({ hour: _, ...row }) => ({ ...row, day })),
  )
  await addDays(tx, days)
  await addGroups(tx, days)
}

type Counts = Pick<Schema['callDays'], 'calls' | 'durationMs' | 'durations' | 'lastAt'>

/** Sums of counts that agree in their keys. In a fixed order, so that concurrent nodes do not deadlock. */
function sumsBy<Count extends Counts>(keys: readonly (keyof Count)[], counts: readonly Count[]): Count[] {
  const sums = new Map<string, Count>()
  for (const count of counts) {
    const key = keys.map((column) => count[column]).join('\n')
    const sum = sums.get(key)
    sums.set(key, sum ? addCounts(sum, count) : count)
  }
  const sorted = [...sums].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return sorted.map(([, sum]) => ({ ...sum, durations: compactSketch(sum.durations) }))
}

const addCounts = <Count extends Counts>(sum: Count, { calls, durationMs, durations, lastAt }: Counts): Count => ({
  ...sum,
  calls: sum.calls + calls,
  durationMs: sum.durationMs + durationMs,
  durations: sum.durations + durations,
  lastAt: Math.max(sum.lastAt, lastAt),
})

type Day = Schema['callDays']
type Group = Schema['callGroups']

const KEY = ['serverId', 'dimension', 'day', 'name', 'version', 'outcome'] as const

const insertGroups = insertMany('callGroups', [...KEY, 'calls', 'durationMs', 'durations', 'lastAt'], (insert) =>
  insert.onConflict((conflict) => conflict.columns([...KEY]).doUpdateSet(added('callGroups'))),
)

/** Adds counts of days to the sums of all dimensions. */
export const addGroups = (tx: Db, days: readonly Day[]): Promise<void> =>
  insertGroups(tx, sumsBy(KEY, days.flatMap(groupsOf)))

/** The groups that a count belongs to. Calls by MCP clients have no configuration. */
function groupsOf({ tool, clientName, clientVersion, configurationId, ...count }: Day): Group[] {
  const group = (dimension: Group['dimension'], name: string, version = '') => ({ ...count, dimension, name, version })
  return [
    group('all', ''),
    group('tool', tool),
    group('client', clientName, clientVersion),
    ...(configurationId === '' ? [] : [group('configuration', configurationId)]),
  ]
}

/** Calls deleted per statement, so that nothing waits long. */
const CALLS_AT_ONCE = 500

/** Deletes some calls before `at`, of one server or of all, oldest first. Returns their number. */
export async function deleteCallsBefore(db: Db, at: number, serverId?: string): Promise<number> {
  const oldest = db.selectFrom('calls').select('seq').where('at', '<', at)
  const own = serverId === undefined ? oldest : oldest.where('serverId', '=', serverId)
  return deletedRows(db.deleteFrom('calls').where('seq', 'in', own.orderBy('at').limit(CALLS_AT_ONCE)))
}

/** Servers that were called in the last days. Logs of others do not grow. */
export async function recentlyCalledServers(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('callHours').select('serverId').distinct().execute()
  return rows.map(({ serverId }) => serverId)
}

/** Time of the newest call outside the server's last `keep` calls, or null. */
export async function timeBeforeLast(db: Db, serverId: string, keep: number): Promise<number | null> {
  const newest = db.selectFrom('calls').select('at').where('serverId', '=', serverId).orderBy('at', 'desc')
  return (await newest.offset(keep).limit(1).executeTakeFirst())?.at ?? null
}
