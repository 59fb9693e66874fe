import { ERRORS, type Outcome, outcomesOf } from '@docent/contract/values/outcomes'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '#store/db.ts'
import type { CallFilter } from './read-calls.ts'

export type ToolCount = { tool: string; calls: number; failed: number; durationMs: number }

/** The property by which calls are grouped. */
type Dimension = 'client' | 'tool' | 'configuration'

/** Counted calls of a server since a day (from 1970, UTC), with optional filters. */
export type Counted = Pick<CallFilter, 'tool' | 'client' | 'configuration' | 'status' | 'outcome'> & {
  serverId: string
  sinceDay: number
  /** Only calls by widgets. */
  byWidgets?: boolean
}

/** `durations` is a sketch, see `lib/duration-sketch.ts`. Calls that were counted before sketches are not in it. */
export type CallCount = { calls: number; failed: number; durations: string }

type Period = 'day' | 'hour'

/** Calls of counts that ended with an error. */
export const FAILED: RawBuilder<number> = sql<number>`sum(case when outcome in (${sql.join(ERRORS.map(sql.lit))}) then calls else 0 end)`

/** A row of {@link sumsOf}, with the keys and sums that were asked for. A text is empty if the client sent none. */
type Row = Record<Period | 'calls' | 'failed' | 'durationMs' | 'lastAt', number> &
  Record<'name' | 'version' | 'durations', string> & { outcome: Outcome }

async function readSums(db: Db, which: Counted, wanted: Wanted, order: RawBuilder<unknown>): Promise<Row[]> {
  return (await sql<Row>`${sumsOf(which, wanted)} order by ${order}`.execute(db)).rows
}

/** All-time calls by tool, most calls first. `durationMs` is the sum. */
export async function countByTool(db: Db, serverId: string): Promise<ToolCount[]> {
  const wanted: Wanted = { by: 'tool', keys: ['name'], sums: ['durationMs'] }
  const rows = await readSums(db, { serverId, sinceDay: 0 }, wanted, sql`calls desc, name`)
  return rows.map(({ name, calls, failed, durationMs }) => ({ tool: name, calls, failed, durationMs }))
}

/** Calls by day or hour (from 1970, UTC), oldest first. Earlier days have one hour, the first. */
export async function countByPeriod(db: Db, which: Counted, period: Period) {
  const rows = await readSums(db, which, { keys: [period], sums: ['durations'] }, sql.ref(period))
  return rows.map(({ calls, failed, durations, [period]: start }) => ({ calls, failed, durations, period: start }))
}

/** Calls by period and outcome, oldest first. Periods as in {@link countByPeriod}. */
export async function countByOutcome(db: Db, which: Counted, period: Period) {
  const rows = await readSums(db, which, { keys: [period, 'outcome'], sums: [] }, sql.ref(period))
  return rows.map(({ calls, outcome, [period]: start }) => ({ calls, outcome, period: start }))
}

type By = { by: Dimension }

/** Calls by name, most calls first. Calls by MCP clients have no configuration and are left out there. */
export async function countByName(db: Db, which: Counted, { by, limit }: By & { limit: number }) {
  const wanted: Wanted = { by, keys: ['name'], sums: ['lastAt'] }
  const rows = await readSums(db, which, wanted, sql`calls desc, last_at desc, name limit ${limit}`)
  return rows.map(({ name, calls, failed, lastAt }) => ({ name: name || null, calls, failed, lastAt }))
}

/** The same by period, for these names only. */
export async function countByNameAndPeriod(
  db: Db,
  which: Counted,
  { by, period, names }: By & { period: Period; names: readonly (string | null)[] },
) {
  if (names.length === 0) return []
  const listed = names.map((name) => name ?? '')
  const wanted: Wanted = { by, names: listed, keys: [period, 'name'], sums: ['durations'] }
  const rows = await readSums(db, which, wanted, sql.ref(period))
  return rows.map(({ name, calls, failed, durations, [period]: start }) => {
    return { name: name || null, period: start, calls, failed, durations }
  })
}

/** Clients by name and version, most calls first. */
export async function countByClient(db: Db, which: Counted, limit: number) {
  const wanted: Wanted = { by: 'client', keys: ['name', 'version'], sums: ['lastAt'] }
  const rows = await readSums(db, which, wanted, sql`calls desc, last_at desc limit ${limit}`)
  return rows.map(({ name, version, calls, lastAt }) => {
    return { name: name || null, version: version || null, calls, lastCallAt: lastAt }
  })
}

/** `name` and `version` are those of the dimension. Earlier days have one hour, the first. */
type Key = Period | 'outcome' | 'name' | 'version'
type Sum = 'durationMs' | 'durations' | 'lastAt'

const SUMS: Record<Sum, RawBuilder<unknown>> = {
  durationMs: sql`sum(duration_ms) as duration_ms`,
  durations: sql`string_agg(durations, '') as durations`,
  lastAt: sql`max(last_at) as last_at`,
}

/** A table with counts. A key or dimension is a column or an expression. */
type Table = Record<'from' | Period | 'outcome' | 'version' | Dimension, RawBuilder<unknown>>

const HOURS: Table = {
  from: sql`call_hours where hour >=`,
  day: sql`hour / 24`,
  hour: sql`hour`,
  outcome: sql`outcome`,
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

/** Sums of counts by some keys. Each call is in an hour or in a day. One dimension alone has its own daily sums. */
function sumsOf(which: Counted, wanted: Wanted): RawBuilder<unknown> {
  const used = dimensionsOf(which, wanted)
  const [dimension = 'all', another] = used
  const hours = sumsOfTable(HOURS, which, { ...wanted, since: which.sinceDay * 24 })
  const days = sumsOfTable(another ? DAYS : groupsOf(dimension), which, { ...wanted, since: which.sinceDay })
  const keys = sql.join(wanted.keys.map((key) => sql.ref(key)))
  return sql`select ${keys}, sum(calls) as calls, sum(failed) as failed${joined(wanted.sums)}
    from (${hours} union all ${days}) as counted group by ${keys}`
}

function sumsOfTable(table: Table, which: Counted, { by, names, keys, sums, since }: Wanted & { since: number }) {
  const { serverId, status, outcome } = which
  const nameOf = (key: Key) => (key === 'name' ? table[by ?? 'tool'] : table[key])
  const dimensions = filtersOf(which).map((dimension) => sql`${table[dimension]} = ${which[dimension]}`)
  const conditions = [
    sql`server_id = ${serverId}`,
    sql`calls > 0`,
    ...dimensions,
    ...(status === undefined ? [] : [sql`outcome in (${sql.join(outcomesOf(status))})`]),
    ...(outcome === undefined ? [] : [sql`outcome = ${outcome}`]),
    ...(isByWidgets(which, by) ? [sql`${table.configuration} <> ''`] : []),
    ...(by && names ? [sql`${table[by]} in (${sql.join(names)})`] : []),
  ]
  const columns = sql.join(keys.map((key) => sql`${nameOf(key)} as ${sql.ref(key)}`))
  return sql`select ${columns}, sum(calls) as calls, ${FAILED} as failed${joined(sums)}
    from ${table.from} ${since} and ${sql.join(conditions, sql` and `)}
    group by ${sql.join(keys.map(nameOf))}`
}

/** With a comma before each. */
const joined = (sums: readonly Sum[]): RawBuilder<unknown> =>
  sql.join(
    sums.map((sum) => sql`, ${SUMS[sum]}`),
    sql``,
  )

const isByWidgets = ({ byWidgets }: Counted, by: Dimension | undefined): boolean =>
  byWidgets === true || by === 'configuration'

const filtersOf = (which: Counted) =>
  (['tool', 'client', 'configuration'] as const).filter((dimension) => which[dimension] !== undefined)

function dimensionsOf(which: Counted, { by }: Wanted): Set<Dimension> {
  const widgets = isByWidgets(which, by) ? (['configuration'] as const) : []
  return new Set([...(by ? [by] : []), ...filtersOf(which), ...widgets])
}
