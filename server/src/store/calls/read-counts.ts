import { type RawBuilder, sql } from 'kysely'
import { type Histogram, addSketch, emptyHistogram } from '#lib/duration-sketch.ts'
import type { Db } from '#store/db.ts'

export type ToolCount = { tool: string; calls: number; failed: number; durationMs: number }

/** The property by which calls are grouped. */
export type Dimension = 'client' | 'tool' | 'configuration'

const COLUMNS: Record<Dimension, string> = { client: 'client_name', tool: 'tool', configuration: 'configuration_id' }
/** A text of a call is empty if the client sent none. */
const NONE = ''

/**
 * Counted calls: of a server since a day (from 1970, UTC), optionally of one tool, client, configuration or outcome.
 */
export type Counted = {
  serverId: string
  sinceDay: number
  tool?: string
  client?: string
  configuration?: string
  status?: 'ok' | 'error'
  /** Only calls by widgets. */
  byWidgets?: boolean
}

/** Counts of some calls. `durations` has all of them except calls that were counted before sketches were kept. */
export type CallCount = { calls: number; failed: number; durations: Histogram }

type Row = { calls: number; failed: number; durations: string }

const COUNTS = sql`sum(calls) as calls, sum(case when status = 'error' then calls else 0 end) as failed`
const SUMS = sql`${COUNTS}, string_agg(durations, '') as durations`

/** All-time calls by tool, most calls first. `durationMs` is the sum. */
export async function countByTool(db: Db, serverId: string): Promise<ToolCount[]> {
  const { rows } = await sql<ToolCount>`
    select tool, sum(calls) as calls, sum(case when status = 'error' then calls else 0 end) as failed,
      sum(duration_ms) as duration_ms
    ${counted({ serverId, sinceDay: 0 })} group by tool order by calls desc, tool`.execute(db)
  return rows
}

/** All calls by day (from 1970, UTC), oldest first. */
export async function countByDay(
  db: Db,
  { serverId, sinceDay }: Pick<Counted, 'serverId' | 'sinceDay'>,
): Promise<(CallCount & { period: number })[]> {
  const { rows } = await sql<Row & { period: number }>`
    select day as period, ${SUMS} from (
      select hour / 24 as day, status, calls, durations from call_hours
      where server_id = ${serverId} and hour >= ${sinceDay * 24}
      union all
      select day, status, calls, durations from call_day_totals where server_id = ${serverId} and day >= ${sinceDay}
    ) as counted group by 1 order by 1`.execute(db)
  return rows.map((row) => ({ period: row.period, ...countOf(row) }))
}

/** Calls by day or hour (from 1970, UTC), oldest first. Earlier days have one hour, the first. */
export async function countByPeriod(
  db: Db,
  which: Counted,
  period: 'day' | 'hour',
): Promise<(CallCount & { period: number })[]> {
  const { rows } = await sql<Row & { period: number }>`
    select ${sql.ref(period)} as period, ${SUMS} ${counted(which)} group by 1 order by 1`.execute(db)
  return rows.map((row) => ({ period: row.period, ...countOf(row) }))
}

export type NamedCount = { name: string | null; calls: number; failed: number; lastAt: number }

/**
 * Calls by name in one dimension, most calls first. Calls by MCP clients have no configuration and are left out there.
 */
export async function countByName(
  db: Db,
  which: Counted,
  { by, limit }: { by: Dimension; limit: number },
): Promise<NamedCount[]> {
  const name = sql.ref(COLUMNS[by])
  const { rows } = await sql<Omit<NamedCount, 'name'> & { name: string }>`
    select ${name} as name, ${COUNTS}, max(last_at) as last_at ${counted(by === 'configuration' ? { ...which, byWidgets: true } : which)}
    group by 1 order by calls desc, last_at desc, name limit ${limit}`.execute(db)
  return rows.map((row) => ({ ...row, name: row.name === NONE ? null : row.name }))
}

/** The same by period, for these names only. */
export async function countByNameAndPeriod(
  db: Db,
  which: Counted,
  { by, period, names }: { by: Dimension; period: 'day' | 'hour'; names: readonly (string | null)[] },
): Promise<(CallCount & { name: string | null; period: number })[]> {
  if (names.length === 0) return []
  const name = sql.ref(COLUMNS[by])
  const listed = sql.join(names.map((one) => one ?? NONE))
  const { rows } = await sql<Row & { name: string; period: number }>`
    select ${name} as name, ${sql.ref(period)} as period, ${SUMS} ${counted(which)} and ${name} in (${listed})
    group by 1, 2 order by 2`.execute(db)
  return rows.map((row) => ({ name: row.name === NONE ? null : row.name, period: row.period, ...countOf(row) }))
}

export type ClientCount = { name: string | null; version: string | null; calls: number; lastCallAt: number }

/** Clients by name and version, most calls first. */
export async function countByClient(db: Db, which: Counted, limit: number): Promise<ClientCount[]> {
  const { rows } = await sql<ClientCount>`
    select nullif(client_name, '') as name, nullif(client_version, '') as version, sum(calls) as calls,
      max(last_at) as last_call_at
    ${counted(which)} group by 1, 2 order by calls desc, last_call_at desc limit ${limit}`.execute(db)
  return rows
}

/** The `from` and `where` clauses for these counts. Each call is counted either in an hour or in a day. */
function counted({ serverId, sinceDay, tool, client, configuration, status, byWidgets }: Counted): RawBuilder<unknown> {
  const shared = sql`tool, client_name, client_version, configuration_id, status, calls, duration_ms, durations, last_at`
  const conditions = [
    ...(tool === undefined ? [] : [sql`tool = ${tool}`]),
    ...(client === undefined ? [] : [sql`client_name = ${client}`]),
    ...(configuration === undefined ? [] : [sql`configuration_id = ${configuration}`]),
    ...(status === undefined ? [] : [sql`status = ${status}`]),
    ...(byWidgets ? [sql`configuration_id <> ''`] : []),
  ]
  return sql`from (
      select hour / 24 as day, hour, ${shared} from call_hours where server_id = ${serverId} and hour >= ${sinceDay * 24}
      union all
      select day, day * 24 as hour, ${shared} from call_days where server_id = ${serverId} and day >= ${sinceDay}
    ) as counted where ${sql.join([sql`calls > 0`, ...conditions], sql` and `)}`
}

function countOf({ calls, failed, durations }: Row): CallCount {
  const histogram = emptyHistogram()
  addSketch(histogram, durations)
  return { calls, failed, durations: histogram }
}

/** Adds the durations of several counts. */
export function joinDurations(counts: readonly CallCount[]): Histogram {
  const sum = emptyHistogram()
  for (const { durations } of counts) {
    for (const [bucket, count] of durations.counts.entries()) {
      if (count > 0) sum.counts[bucket] = (sum.counts[bucket] ?? 0) + count
    }
    sum.total += durations.total
  }
  return sum
}
