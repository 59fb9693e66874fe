import { newId } from '@docent/server/lib/ids.ts'
import { sketchOf } from '@docent/server/lib/duration-sketch.ts'
import { addGroups } from '@docent/server/store/calls/roll-up.ts'
import {
  citationKey,
  createPageIds,
  hashUrl,
  referTo,
  writeReferences,
} from '@docent/server/store/calls/cited-pages.ts'
import { addPageDay } from '@docent/server/store/calls/fold-citations.ts'
import type { Db, Store } from '@docent/server/store/db.ts'
import { insertServer } from '@docent/server/store/servers/servers.ts'
import { insertSourceRow, newSourceRow } from '@docent/server/store/sources/sources.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const DAYS = 365
/** Days that have counts by hour, as in a running service. */
const DAYS_BY_HOUR = 8
const TOOLS = [
  'search_docs',
  'ask_question',
  'get_code_examples',
  'find_api_reference',
  'get_changelog',
  'get_quickstart',
]
/** Names and versions together. */
const CLIENTS = 12
/** Each combination of tool and client has one row for successes and, for every second one, another for errors. */
const ERRORS_OF = 2
/** Buckets of a sketch: durations of one tool spread over a factor of thirty. */
const BUCKETS = 60
const PAGES = 2_000
const CITATIONS = 5
/** Length of a full request log. */
const LOGGED = 50_000
const QUESTIONS = 20_000
const AT_ONCE = 200

/** Adds a server with the counts of a year of `calls` calls, its cited pages, and a full request log. */
export async function addYearOfCalls(store: Store, calls: number): Promise<{ serverId: string; counted: number }> {
  const { id: accountId } = await store.read.selectFrom('accounts').select('id').executeTakeFirstOrThrow()
  const [serverId, sourceId] = [newId('srv'), newId('src')]
  const times = { createdAt: 1, updatedAt: 1, deletedAt: null, purgeAt: null }
  const server = { slug: 'a-year', name: 'A year', description: null, visibility: 'public' as const, tools: '[]' }
  await insertServer(store.write, { id: serverId, accountId, ...server, refresh: 'off', ...times })
  const address = { url: 'https://docs.example.com/', type: 'docs' as const, label: null }
  await insertSourceRow(store.write, newSourceRow({ ...address, id: sourceId, serverId, createdAt: 1 }))
  const today = Math.floor(store.clock() / DAY_MS)
  const counted = await addCounts(store, { serverId, today, perDay: calls / DAYS })
  await addPages(store, { sourceId, today, perDay: (calls / DAYS) * CITATIONS })
  await addLog(store, { serverId, sourceId })
  return { serverId, counted }
}

type Combination = { tool: string; clientName: string; clientVersion: string; outcome: 'answered' | 'failed' }

const combinations: readonly Combination[] = TOOLS.flatMap((tool, at) =>
  Array.from({ length: CLIENTS }, (_, n) => ({
    tool,
    clientName: `client-${n >> 1}`,
    clientVersion: `1.${n & 1}`,
  })).flatMap((names, n) => [
    { ...names, outcome: 'answered' as const },
    ...((at + n) % ERRORS_OF === 0 ? [{ ...names, outcome: 'failed' as const }] : []),
  ]),
)

/** Counts by hour or day, spread evenly over all combinations. */
async function addCounts(
  store: Store,
  { serverId, today, perDay }: { serverId: string; today: number; perDay: number },
) {
  let counted = 0
  const perRow = Math.round(perDay / combinations.length)
  const count = (calls: number, lastAt: number) => ({
    calls,
    durationMs: calls * 12,
    durations: sketchOfMany(calls),
    lastAt,
    serverId,
    configurationId: '',
  })
  for (let day = today - DAYS + 1; day <= today; day++) {
    await store.transaction(async (tx) => {
      if (day <= today - DAYS_BY_HOUR) {
        counted += perRow * combinations.length
        const rows = combinations.map((names) => ({ ...names, day, ...count(perRow, day * DAY_MS) }))
        await addGroups(tx, rows)
        return insertAll(rows, (some) => tx.insertInto('callDays').values(some).execute())
      }
      const perHour = Math.max(1, Math.round(perRow / 24))
      for (let hour = day * 24; hour < (day + 1) * 24; hour++) {
        counted += perHour * combinations.length
        const rows = combinations.map((names) => ({ ...names, hour, ...count(perHour, (hour * DAY_MS) / 24) }))
        await insertAll(rows, (some) => tx.insertInto('callHours').values(some).execute())
      }
    })
  }
  return counted
}

function sketchOfMany(calls: number): string {
  const buckets = Math.min(BUCKETS, calls)
  return Array.from({ length: buckets }, (_, n) => {
    const count = Math.floor((calls + n) / buckets)
    return count > 1 ? `${sketchOf(2 * 1.06 ** n)}${count}` : sketchOf(2 * 1.06 ** n)
  }).join('')
}

async function addPages(
  store: Store,
  { sourceId, today, perDay }: { sourceId: string; today: number; perDay: number },
) {
  const pages = Array.from({ length: PAGES }, (_, n) => {
    const url = pageUrl(n)
    return { sourceId, hash: hashUrl(url), url, title: `Page ${n}`, lastCitedAt: today * DAY_MS }
  })
  await insertAll(pages, (some) => store.write.insertInto('citedPages').values(some).execute())
  const ids = await store.read.selectFrom('citedPages').select('id').where('sourceId', '=', sourceId).execute()
  for (let day = today - DAYS + 1; day <= today; day++) {
    const counts = ids.map(({ id }, at) => [id, 1 + Math.round((2 * perDay * (at % 97)) / 97 / PAGES)] as const)
    await store.transaction((tx) => addPageDay(tx, { sourceId, day }, new Map(counts)))
  }
}

const pageUrl = (n: number): string => `https://docs.example.com/guide/section-${n % 40}/page-${n}.html#part-${n % 7}`

/** The newest calls of the year, all of them counted already. */
async function addLog(store: Store, { serverId, sourceId }: { serverId: string; sourceId: string }): Promise<void> {
  const now = store.clock()
  const rows = Array.from({ length: LOGGED }, (_, n) => {
    const at = now - (LOGGED - n) * 3_000
    const query = `how do I configure part ${n % QUESTIONS} of the pipeline in version ${n % 9}`
    const cited = Array.from({ length: CITATIONS }, (_, rank) => ({
      sourceId,
      url: pageUrl(n * 7 + rank * 13),
      title: 'A page',
      rank,
      score: 1,
    }))
    const isUnanswered = n % 20 === 0
    return {
      id: newId('call'),
      serverId,
      at,
      day: Math.floor(at / DAY_MS),
      tool: isUnanswered ? 'ask_question' : 'search_docs',
      arguments: JSON.stringify({ query }),
      query,
      clientName: `client-${n % 6}`,
      clientVersion: '1.0',
      outcome: isUnanswered ? ('related' as const) : ('answered' as const),
      durationMs: 2 + (n % 300) / 10,
      error: null,
      confidence: isUnanswered ? 'low' : null,
      segments: 'seg_0123456789abcdefghijkl',
      cited,
      configurationId: null,
      endUserId: null,
    }
  })
  const pageIds = await createPageIds()(store, rows)
  const logged = rows.map(({ cited, ...row }) => {
    return { ...row, pageCitations: writeReferences(referTo(cited, (one) => pageIds.get(citationKey(one)))) }
  })
  await store.transaction(async (tx: Db) => {
    await insertAll(logged, (some) => tx.insertInto('calls').values(some).execute())
    await tx.insertInto('callFolds').values({ id: 1, foldedUntil: now }).execute()
  })
}

async function insertAll<T>(rows: readonly T[], insert: (some: T[]) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < rows.length; from += AT_ONCE) await insert(rows.slice(from, from + AT_ONCE))
}
