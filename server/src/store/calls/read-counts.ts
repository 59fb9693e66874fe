import { sql, type RawBuilder } from 'kysely'
import type { Db } from '#store/db.ts'

export type ToolCount = { tool: string; calls: number; failed: number; durationMs: number }

/** The property by which calls are grouped. */
type Dimension = 'client' | 'tool' | 'configuration'

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

/**
 * Counts of some calls. `durations` is a sketch of all of them except calls that were counted before sketches were kept,
 * see `lib/duration-sketch.ts`.
 */
export type CallCount = { calls: number; failed: number; durations: string }

type Periods = Record<'day' | 'hour', number>

/** All-time calls by tool, most calls first. `durationMs` is the sum. */
export async function countByTool(db: Db, serverId: string): Promise<ToolCount[]> {
  const counts = sumsOf({ serverId, sinceDay: 0 }, { by: 'tool', keys: ['name'], sums: ['durationMs'] })
  const { rows } = await sql<Omit<ToolCount, 'tool'> & { name: string }>`${counts} order by calls desc, name`.execute(
    db,
  )
  return rows.map(({ name, ...count }) => ({ tool: name, ...count }))
}

/** Calls by day or hour (from 1970, UTC), oldest first. Earlier days have one hour, the first. */
export async function countByPeriod(
  db: Db,
  which: Counted,
  period: 'day' | 'hour',
): Promise<(CallCount & { period: number })[]> {
  const counts = sumsOf(which, { keys: [period], sums: ['durations'] })
  const { rows } = await sql<CallCount & Periods>`${counts} order by ${sql.ref(period)}`.execute(db)
  return rows.map(({ day, hour, ...count }) => ({ ...count, period: period === 'day' ? day : hour }))
}

export type NamedCount = { name: string | null; calls: number; failed: number; lastAt: number }

type By = { by: Dimension }

/**
 * Calls by name in one dimension, most calls first. Calls by MCP clients have no configuration and are left out there.
 */
export async function countByName(
  db: Db,
  which: Counted,
  { by, limit }: By & { limit: number },
): Promise<NamedCount[]> {
  const counts = sumsOf(which, { by, keys: ['name'], sums: ['lastAt'] })
  const { rows } = await sql<Omit<NamedCount, 'name'> & { name: string }>`${counts}
    order by calls desc, last_at desc, name limit ${limit}`.execute(db)
  return rows.map((row) => ({ ...row, name: row.name === NONE ? null : row.name }))
}

/** The same by period, for these names only. */
export async function countByNameAndPeriod(
  db: Db,
  which: Counted,
  { by, period, names }: By & { period: 'day' | 'hour'; names: readonly (string | null)[] },
): Promise<(CallCount & { name: string | null; period: number })[]> {
  if (names.length === 0) return []
  const listed = names.map((name) => name ?? NONE)
  const counts = sumsOf(which, { by, names: listed, keys: [period, 'name'], sums: ['durations'] })
  const { rows } = await sql<CallCount & Periods & { name: string }>`${counts}
    order by ${sql.ref(period)}`.execute(db)
  return rows.map(({ name, day, hour, ...count }) => ({
    ...count,
    name: name === NONE ? null : name,
    period: period === 'day' ? day : hour,
  }))
}

export type ClientCount = { name: string | null; version: string | null; calls: number; lastCallAt: number }

/** Clients by name and version, most calls first. */
export async function countByClient(db: Db, which: Counted, limit: number): Promise<ClientCount[]> {
  const counts = sumsOf(which, { by: 'client', keys: ['name', 'version'], sums: ['lastAt'] })
  const { rows } = await sql<Omit<NamedCount, 'name'> & { name: string; version: string }>`${counts}
    order by calls desc, last_at desc limit ${limit}`.execute(db)
  return rows.map(({ name, version, calls, lastAt }) => ({
    name: name === NONE ? null : name,
    version: version === NONE ? null : version,
    calls,
    lastCallAt: lastAt,
  }))
}

/** `name` and `version` are those of the dimension. Earlier days have one hour, the first. */
type Key = 'day' | 'hour' | 'name' | 'version'
type Sum = 'durationMs' | 'durations' | 'lastAt'

const SUMS: Record<Sum, RawBuilder<unknown>> = {
  durationMs: sql`sum(duration_ms) as duration_ms`,
  durations: sql`string_agg(durations, '') as durations`,
  lastAt: sql`max(last_at) as last_at`,
}

/** A table with counts. A key or dimension is a column or an expression. */
type Table = {
  from: RawBuilder<unknown>
  day: RawBuilder<unknown>
  hour: RawBuilder<unknown>
  version: RawBuilder<unknown>
} & Record<Dimension, RawBuilder<unknown>>

const HOURS: Table = {
  from: sql`call_hours where hour >=`,
  day: sql`hour / 24`,
  hour: sql`hour`,
  tool: sql`tool`,
  client: sql`client_name`,
  version: sql`client_version`,
  configuration: sql`configuration_id`,
}
const DAYS: Table = { ...HOURS, from: sql`call_days where day >=`, day: sql`day`, hour: sql`day * 24` }

/** Daily sums of one dimension, or of all calls. Other dimensions are not available. */
const groupsOf = (dimension: Dimension | 'all'): Table => {
  const name = sql`name`
  const from = sql`call_groups where dimension = ${sql.lit(dimension)} and day >=`
  return { ...DAYS, from, tool: name, client: name, configuration: name, version: sql`version` }
}

type Wanted = {
  by?: Dimension
  /** Only these names in the dimension `by`. */
  names?: readonly string[]
  keys: readonly Key[]
  sums: readonly Sum[]
}

/**
 * A query for sums of counts by some keys. Each call is counted either in an hour or in a day. Each table is summed by
 * itself, so that rows are read in the order of an index and few of them are sorted. If only one dimension is used, the
 * daily sums of that dimension are read. Calls by MCP clients have no configuration and are left out there.
 */
function sumsOf(which: Counted, wanted: Wanted): RawBuilder<unknown> {
  const used = dimensionsOf(which, wanted)
  const [dimension = 'all', another] = used
  const hours = sumsOfTable(HOURS, which, { ...wanted, since: which.sinceDay * 24 })
  const days = sumsOfTable(another ? DAYS : groupsOf(dimension), which, { ...wanted, since: which.sinceDay })
  const keys = sql.join(wanted.keys.map((key) => sql.ref(key)))
  return sql`select ${keys}, sum(calls) as calls, sum(failed) as failed, ${joined(wanted.sums)}
    from (${hours} union all ${days}) as counted group by ${keys}`
}

function sumsOfTable(
  table: Table,
  which: Counted,
  { by, names, keys, sums, since }: Wanted & { since: number },
): RawBuilder<unknown> {
  const { serverId, status } = which
  const nameOf = (key: Key) => (key === 'name' ? table[by ?? 'tool'] : table[key])
  const dimensions = (['tool', 'client', 'configuration'] as const).flatMap((dimension) => {
    const name = which[dimension]
    return name === undefined ? [] : [sql`${table[dimension]} = ${name}`]
  })
  const conditions = [
    sql`server_id = ${serverId}`,
    sql`calls > 0`,
    ...dimensions,
    ...(status === undefined ? [] : [sql`status = ${status}`]),
    ...(isByWidgets(which, by) ? [sql`${table.configuration} <> ''`] : []),
    ...(by && names ? [sql`${table[by]} in (${sql.join(names)})`] : []),
  ]
  const columns = sql.join(keys.map((key) => sql`${nameOf(key)} as ${sql.ref(key)}`))
  return sql`select ${columns}, sum(calls) as calls,
      sum(case when status = 'error' then calls else 0 end) as failed, ${joined(sums)}
    from ${table.from} ${since} and ${sql.join(conditions, sql` and `)}
    group by ${sql.join(keys.map(nameOf))}`
}

const joined = (sums: readonly Sum[]): RawBuilder<unknown> => sql.join(sums.map((sum) => SUMS[sum]))

const isByWidgets = ({ byWidgets }: Counted, by: Dimension | undefined): boolean =>
  byWidgets === true || by === 'configuration'

function dimensionsOf(which: Counted, { by }: Wanted): Set<Dimension> {
  const filters = (['tool', 'client', 'configuration'] as const).filter((dimension) => which[dimension] !== undefined)
  return new Set([...(by ? [by] : []), ...filters, ...(isByWidgets(which, by) ? ['configuration' as const] : [])])
}
