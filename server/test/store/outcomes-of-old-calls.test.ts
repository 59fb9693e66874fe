import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createSchema } from '#store/migrations/migrate.ts'
import { countByOutcome, countByTool } from '#store/calls/read-counts.ts'
import { openStore } from '#store/engine/open.ts'
import { type Engine, makePlace, onBothEngines } from '../support/database/engines.ts'

const DAY_MS = 86_400_000
/** Calls of this day were counted by hour, and those of the day before by day. */
const TODAY = 20_000

/** What the last schema without outcomes held of a call: tool, status, confidence, whether it cited, and the error. */
type Old = [tool: string, status: string, confidence: string | null, cited: boolean, error: string | null]

const OLD: readonly (readonly [outcome: string, ...old: Old])[] = [
  ['answered', 'ask_question', 'ok', 'high', true, null],
  ['answered', 'ask_question', 'ok', 'medium', true, 'The model did not answer in time.'],
  ['related', 'ask_question', 'ok', 'low', true, null],
  ['none', 'ask_question', 'ok', 'none', true, null],
  ['answered', 'search_docs', 'ok', null, true, null],
  ['none', 'search_docs', 'ok', null, false, null],
  ['answered', 'query_source', 'ok', null, false, null],
  ['refused', 'search_docs', 'error', null, false, '"query" must be text. Call search_docs again with it.'],
  ['refused', 'none_such', 'error', null, false, 'There is no tool "none_such".'],
  ['failed', 'search_docs', 'error', null, false, 'Something went wrong on our side. The error has been logged.'],
  ['failed', 'query_source', 'error', null, false, 'x.test could not be asked: it answered 500.'],
]

async function fill(engine: Engine, place: Awaited<ReturnType<typeof makePlace>>): Promise<void> {
  await using store = await openStore({ database: place.database, onError: () => {}, migrates: false })
  await store.transaction(async (tx) => {
    await createSchema(tx, engine, 35)
    const run = (text: string) => sql.raw(text).execute(tx)
    await run(`insert into accounts (id, email, name, plan, is_operator, created_at)
      values ('acc', 'a@example.test', 'A', 'free', 0, 1)`)
    await run(`insert into servers (id, account_id, slug, name, visibility, tools, created_at, updated_at)
      values ('srv', 'acc', 's', 'S', 'public', '[]', 1, 1)`)
    for (const [n, [, tool, status, confidence, cited, error]] of OLD.entries()) {
      for (const day of [TODAY, TODAY - 1]) {
        await sql`insert into calls (id, server_id, at, day, tool, arguments, query, client_name, status, duration_ms,
          error, confidence, citations) values (${`call_${day}_${n}`}, 'srv', ${day * DAY_MS + n}, ${day}, ${tool},
          '{}', 'q', 'probe', ${status}, 2, ${error}, ${confidence}, ${cited ? '[]' : null})`.execute(tx)
        const count = sql`${tool}, 'probe', '', '', ${status}, 1, 2, 'x', ${day * DAY_MS}`
        const added = sql`calls = counted.calls + 1, duration_ms = counted.duration_ms + 2`
        const key = sql`tool, client_name, client_version, configuration_id, status`
        const columns = sql`${key}, calls, duration_ms, durations, last_at`
        if (day === TODAY) {
          await sql`insert into call_hours as counted (server_id, hour, ${columns}) values ('srv', ${day * 24}, ${count})
            on conflict (server_id, hour, ${key}) do update set ${added}`.execute(tx)
          continue
        }
        await sql`insert into call_days as counted (server_id, day, ${columns}) values ('srv', ${day}, ${count})
          on conflict (server_id, day, ${key}) do update set ${added}`.execute(tx)
        for (const [dimension, name] of [
          ['all', ''],
          ['tool', tool],
          ['client', 'probe'],
        ]) {
          await sql`insert into call_groups as counted (server_id, dimension, day, name, version, status, calls,
            duration_ms, durations, last_at) values ('srv', ${dimension}, ${day}, ${name}, '', ${status}, 1, 2, 'x',
            ${day * DAY_MS}) on conflict (server_id, dimension, day, name, version, status) do update set ${added}`.execute(
            tx,
          )
        }
      }
    }
    // Counted, but no longer in the log.
    await sql`update call_groups set calls = calls + 5 where dimension = 'all' and status = 'ok'`.execute(tx)
  })
}

onBothEngines('calls of the schema without outcomes', (engine) => {
  test('get the outcome that their rows imply, and their counts are divided by it', async () => {
    await using place = await makePlace(engine, { isEmpty: true })
    await fill(engine, place)
    await using store = await openStore({ database: place.database, onError: () => {} })
    const calls = await store.read.selectFrom('calls').select(['day', 'outcome']).orderBy('seq').execute()
    expect(calls).toEqual(OLD.flatMap(([outcome]) => [TODAY, TODAY - 1].map((day) => ({ day, outcome }))))

    const which = { serverId: 'srv', sinceDay: 0 }
    const countsOf = async (filter: object = {}) => {
      const rows = await countByOutcome(store.read, { ...which, ...filter }, 'day')
      return Object.fromEntries(
        rows.map(({ period, outcome, calls: count }) => [`${period - TODAY} ${outcome}`, count]),
      )
    }
    const eachDay = { answered: 4, related: 1, none: 2, refused: 2, failed: 2 }
    const expected = Object.entries(eachDay).flatMap(([outcome, count]) => [
      [`0 ${outcome}`, count],
      [`-1 ${outcome}`, outcome === 'answered' ? count + 5 : count],
    ])
    expect(await countsOf()).toEqual(Object.fromEntries(expected))
    const searches = { answered: 1, none: 1, refused: 1, failed: 1 }
    const ofSearches = Object.entries(searches).flatMap(([outcome, count]) => [
      [`0 ${outcome}`, count],
      [`-1 ${outcome}`, count],
    ])
    expect(await countsOf({ tool: 'search_docs' })).toEqual(Object.fromEntries(ofSearches))
    // Two dimensions: the sums of days instead of those of groups.
    expect(await countsOf({ tool: 'search_docs', client: 'probe' })).toEqual(Object.fromEntries(ofSearches))
    expect(await countByTool(store.read, 'srv')).toContainEqual({
      tool: 'search_docs',
      calls: 8,
      failed: 4,
      durationMs: 16,
    })
  })
})
