import { sql } from 'kysely'
import type { Db } from '#store/db.ts'
import { sumsOf } from './sum-counts.ts'

export type ToolCount = { tool: string; calls: number; failed: number; durationMs: number }

/** The property by which calls are grouped. */
export type Dimension = 'client' | 'tool' | 'configuration'

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
