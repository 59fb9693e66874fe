import { compactSketch } from '#lib/duration-sketch.ts'
import type { Db } from '#store/db.ts'
import type { Schema } from '#store/schema.ts'
import { addGroups } from './call-groups.ts'
import { addDays } from './count-calls.ts'

const HOURS_PER_DAY = 24

/** Days of servers per query. */
const AT_ONCE = 100

/** Counts by hour of one server and one day. */
export type HoursOfDay = { serverId: string; day: number }

/** Some days before `day` (since 1970) that have counts by hour. */
export async function daysWithHours(db: Db, day: number): Promise<HoursOfDay[]> {
  const rows = await db
    .selectFrom('callHours')
    .select(['serverId', 'hour'])
    .distinct()
    .where('hour', '<', day * HOURS_PER_DAY)
    .orderBy('hour')
    .orderBy('serverId')
    .limit(AT_ONCE)
    .execute()
  const days = rows.map(({ serverId, hour }) => ({ serverId, day: Math.floor(hour / HOURS_PER_DAY) }))
  return [...new Map(days.map((one) => [`${one.serverId} ${one.day}`, one])).values()]
}

/**
 * Moves the counts of a day from its hours to the day, in the caller's transaction. Counts that come later are added by
 * the next move. Safe to run concurrently: each row moves once.
 */
export async function moveHours(tx: Db, { serverId, day }: HoursOfDay): Promise<void> {
  const rows = await tx
    .deleteFrom('callHours')
    .where('serverId', '=', serverId)
    .where('hour', '>=', day * HOURS_PER_DAY)
    .where('hour', '<', (day + 1) * HOURS_PER_DAY)
    .returningAll()
    .execute()
  const sums = new Map<string, Sum>()
  for (const { hour: _, ...row } of rows) {
    const { tool, clientName, clientVersion, configurationId, status } = row
    const key = [tool, clientName, clientVersion, configurationId, status].join('\n')
    const sum = sums.get(key)
    sums.set(key, sum ? add(sum, row) : { ...row, day })
  }
  const days = [...sums].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum)
  await addDays(
    tx,
    days.map((sum) => ({ ...sum, durations: compactSketch(sum.durations) })),
  )
  await addGroups(tx, days)
}

type Sum = Schema['callDays']

const add = (sum: Sum, { calls, durationMs, durations, lastAt }: Omit<Sum, 'day'>): Sum => ({
  ...sum,
  calls: sum.calls + calls,
  durationMs: sum.durationMs + durationMs,
  durations: sum.durations + durations,
  lastAt: Math.max(sum.lastAt, lastAt),
})
