import { type Selectable, sql } from 'kysely'
import type { Db } from '#store/db.ts'
import { runsOnPostgres } from '#store/engine/engine-of.ts'
import type { Schema } from '#store/schema.ts'

export type LoggedCall = Selectable<Schema['calls']>

/** Call filter: since `since`, optionally of one tool, client or outcome. */
export type CallFilter = { since: number; tool?: string; client?: string; status?: 'ok' | 'error' }

function matching(db: Db, serverId: string, { since, tool, client, status }: CallFilter) {
  let query = db.selectFrom('calls').where('serverId', '=', serverId).where('at', '>=', since)
  if (tool !== undefined) query = query.where('tool', '=', tool)
  if (client !== undefined) query = query.where('clientName', '=', client)
  if (status !== undefined) query = query.where('status', '=', status)
  return query
}

export async function countLoggedCalls(db: Db, serverId: string, filter: CallFilter): Promise<number> {
  const { calls } = await matching(db, serverId, filter)
    .select(sql<number>`count(*)`.as('calls'))
    .executeTakeFirstOrThrow()
  return calls
}

/** One page of the log, newest first. */
export async function listLoggedCalls(
  db: Db,
  serverId: string,
  filter: CallFilter,
  { offset, limit }: { offset: number; limit: number },
): Promise<LoggedCall[]> {
  return matching(db, serverId, filter)
    .selectAll()
    .orderBy('at', 'desc')
    .orderBy('seq', 'desc')
    .offset(offset)
    .limit(limit)
    .execute()
}

/** Finds a call in the server's request log. */
export async function findLoggedCall(db: Db, serverId: string, id: string): Promise<LoggedCall | undefined> {
  return db.selectFrom('calls').selectAll().where('id', '=', id).where('serverId', '=', serverId).executeTakeFirst()
}

export type ToolCount = { tool: string; calls: number; failed: number; durationMs: number }

/** All-time calls by tool. `durationMs` is the sum. */
export async function countByTool(db: Db, serverId: string): Promise<ToolCount[]> {
  return db
    .selectFrom('callDays')
    .select([
      'tool',
      sql<number>`sum(calls)`.as('calls'),
      sql<number>`sum(failed)`.as('failed'),
      sql<number>`sum(duration_ms)`.as('durationMs'),
    ])
    .where('serverId', '=', serverId)
    .groupBy('tool')
    .orderBy('calls', 'desc')
    .orderBy('tool')
    .execute()
}

/** Citation counts of all sources of the server, in source order, including uncited ones. */
export async function usesOfSources(db: Db, serverId: string) {
  return db
    .selectFrom('sources')
    .leftJoin('sourceUses', 'sourceUses.sourceId', 'sources.id')
    .select(['id', 'url', 'label', 'type', 'segments', 'calls', 'citations', 'lastCitedAt'])
    .where('serverId', '=', serverId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
}

/** Calls by day, oldest first. Days count from 1970, UTC. */
export async function countByDay(db: Db, serverId: string, sinceDay: number) {
  return db
    .selectFrom('callDays')
    .select(['day', sql<number>`sum(calls)`.as('calls'), sql<number>`sum(failed)`.as('failed')])
    .where('serverId', '=', serverId)
    .where('day', '>=', sinceDay)
    .groupBy('day')
    .orderBy('day')
    .execute()
}

/** Latency percentiles, by nearest rank. */
export type Percentiles = { p50Ms: number; p95Ms: number; p99Ms: number }

/** Percentiles of the log since `since`, per day, or in total under day null. */
export async function percentiles(db: Db, serverId: string, since: number, by: 'day' | 'all') {
  const group = by === 'day' ? sql<number | null>`day` : sql<number | null>`cast(null as integer)`
  const { rows } = await sql<{ day: number | null } & Percentiles>`
    with durations as (
      select ${group} as day, duration_ms,
        row_number() over (partition by ${group} order by duration_ms) as place,
        count(*) over (partition by ${group}) as calls
      from calls where server_id = ${serverId} and at >= ${since})
    select day,
      min(case when place * 100 >= calls * 50 then duration_ms end) as p50_ms,
      min(case when place * 100 >= calls * 95 then duration_ms end) as p95_ms,
      min(case when place * 100 >= calls * 99 then duration_ms end) as p99_ms
    from durations group by day order by day`.execute(db)
  return rows
}

/** Clients by name and version, most calls first. */
export async function countByClient(db: Db, serverId: string, { since, limit }: { since: number; limit: number }) {
  return db
    .selectFrom('calls')
    .select(['clientName', 'clientVersion', sql<number>`count(*)`.as('calls'), sql<number>`max(at)`.as('lastCallAt')])
    .where('serverId', '=', serverId)
    .where('at', '>=', since)
    .groupBy(['clientName', 'clientVersion'])
    .orderBy('calls', 'desc')
    .orderBy('lastCallAt', 'desc')
    .limit(limit)
    .execute()
}

type Queries = { since: number; limit: number; confidence?: readonly string[] }

/** Most frequent queries, case-insensitive, optionally of one answer confidence. */
export async function countByQuery(db: Db, serverId: string, { since, limit, confidence }: Queries) {
  const all = db
    .selectFrom('calls')
    .select([
      sql<string>`min(query)`.as('query'),
      sql<number>`count(*)`.as('calls'),
      sql<number>`max(at)`.as('lastAskedAt'),
    ])
    .where('serverId', '=', serverId)
    .where('at', '>=', since)
    .where('query', 'is not', null)
  return (confidence ? all.where('confidence', 'in', [...confidence]) : all)
    .groupBy(sql`lower(query)`)
    .orderBy('calls', 'desc')
    .orderBy('lastAskedAt', 'desc')
    .limit(limit)
    .execute()
}

/** Cited pages, most cited first. Citations are arrays, see `citations.ts`. */
export async function countByPage(db: Db, serverId: string, { since, limit }: { since: number; limit: number }) {
  const isPostgres = runsOnPostgres(db)
  const each = isPostgres
    ? sql`json_array_elements(citations::json) as cited (value)`
    : sql`json_each(citations) as cited`
  const member = (index: number) =>
    isPostgres ? sql`cited.value ->> ${sql.lit(index)}` : sql`json_extract(cited.value, ${sql.lit(`$[${index}]`)})`
  const { rows } = await sql<{ url: string; sourceId: string; title: string; citations: number; lastCitedAt: number }>`
    select ${member(1)} as url, ${member(0)} as source_id, max(${member(2)}) as title, count(*) as citations,
      max(at) as last_cited_at
    from calls, ${each}
    where server_id = ${serverId} and at >= ${since} and citations is not null
    group by 1, 2 order by citations desc, url limit ${limit}`.execute(db)
  return rows
}
