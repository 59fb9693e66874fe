import { DatabaseSync } from 'node:sqlite'
import { afterEach, expect, test, vi } from 'vitest'
import { sql } from 'kysely'
import { createAccount } from '#auth/accounts.ts'
import { claim, hasWaitingJobs } from '#store/jobs/claim.ts'
import { enqueue, finish, renew, retryLater } from '#store/jobs/queue.ts'
import { findAccessToken, findApiKey, findSessionByHash } from '#store/accounts/keys.ts'
import { readAccountsProgress, recentCalls } from '#store/servers/progress.ts'
import type { Store } from '#store/db.ts'
import { listServersAfter, countLiveServers, findServer, slugIsTaken } from '#store/servers/servers.ts'
import { callsInMonth, countCall } from '#store/accounts/usage.ts'
import { reportedAfter, countPages, sizeOfSource } from '#store/pages/page-report.ts'
import {
  agesOfPages,
  findPages,
  findSameText,
  leaveUnsettled,
  listToGo,
  listDuplicates,
  promoteDuplicates,
  updateSettledPage,
  sizeOfAddresses,
} from '#store/pages/pages.ts'
import { listTexts } from '#store/pages/packed-texts.ts'
import { listIndexed, sizeOfPage } from '#store/pages/texts.ts'
import { deleteCitations } from '#store/sources/remove-source.ts'
import { deleteCallsBefore, timeBeforeLast, daysWithHours, moveHours } from '#store/calls/roll-up.ts'
import { takeHits } from '#store/accounts/rate-limits.ts'
import {
  countByQuery,
  countLoggedCalls,
  findLoggedCall,
  listLoggedCalls,
  loggedCallsAfter,
  unansweredQueries,
} from '#store/calls/read-calls.ts'
import {
  countByClient,
  countByName,
  countByNameAndPeriod,
  countByPeriod,
  countByTool,
} from '#store/calls/read-counts.ts'
import { foldCitations } from '#store/calls/fold-citations.ts'
import { readCitedPages } from '#store/calls/read-cited-pages.ts'
import { hasStaleSegments, sourcesWithStaleSegments } from '#store/sources/due-sources.ts'
import { areAnyStale, readSegment, readTexts } from '#store/pages/segments.ts'
import { findServedServer } from '#store/servers/served.ts'
import { findSourceRoom, sourceUsage, listSources } from '#store/sources/sources.ts'
import { claimDelivery, countWaiting, dueDeliveries } from '#store/webhooks/deliveries.ts'
import { subscribersOf } from '#store/webhooks/webhooks.ts'
import { makeStore } from '../support/database/engines.ts'

const NOW = 1_800_000_000_000
const JOB = { id: 1, kind: 'ingest' as const, payload: '{}', attempts: 1, fence: 1, accountId: 'acc' }
const TOP = { since: 1, limit: 20 }
const COUNTED = { serverId: 'srv', sinceDay: 1 }

/** Queries that run on every request, for every page of a crawl, or over a whole log, by function name. */
const HOT: Record<string, (store: Store, accountId: string) => Promise<unknown>> = {
  'the server of an MCP request': ({ read }) => findServedServer(read, 'slug'),
  'a server of an account': ({ read }) => findServer(read, 'acc', 'slug'),
  'the servers of an account': ({ read }) =>
    listServersAfter(read, 'acc', { now: NOW, after: { createdAt: 1, id: 'srv' }, limit: 100 }),
  'the progress of an account': ({ read }, accountId) => Array.fromAsync(readAccountsProgress(read, [accountId])),
  'the recent calls of an account’s servers': ({ read }, accountId) =>
    Array.fromAsync(recentCalls(read, { accountId, serverIds: null, sinceDay: 1 })),
  'the sources of an account’s servers': ({ read }) => sourceUsage(read, 'acc'),
  'how many servers an account has': ({ read }) => countLiveServers(read, 'acc', 3),
  'whether a slug is taken': ({ read }) => slugIsTaken(read, 'slug'),
  'the sources of a server': ({ read }) => listSources(read, 'srv'),
  'an API key': ({ read }) => findApiKey(read, 'hash'),
  'an access token': ({ read }) => findAccessToken(read, 'srv', 'hash'),
  'a session': ({ read }) => findSessionByHash(read, 'hash', { usedAfter: 1, begunAfter: 1 }),
  'a rate limit': ({ write }) => takeHits(write, { key: 'k', limit: 1, count: 1, now: NOW, windowMs: 1_000 }),
  'an allowance': ({ write }, accountId) => countCall(write, { accountId, month: '2026-11', limit: 50 }),
  'the calls of a month': ({ read }) => callsInMonth(read, 'acc', '2026-11'),
  'a segment': (store) => readSegment(store, 'seg'),
  'segments of another format': ({ read }) => areAnyStale(read, ['a', 'b'], 2),
  'sources of another format': ({ read }) => sourcesWithStaleSegments(read, { format: 2, afterId: '', limit: 9 }),
  'whether a source is of another format': ({ read }) => hasStaleSegments(read, 2, 'src'),
  'texts of pages': (store) => readTexts(store, 'src', ['a', 'b']),

  'webhooks that get an event': ({ read }) => subscribersOf(read, 'limit.reached', { accountId: 'acc' }),
  'due deliveries of webhooks': ({ read }) => dueDeliveries(read, NOW, ['whk']),
  'waiting deliveries of a webhook': ({ read }) => countWaiting(read, 'whk'),
  'a claimed delivery': ({ write }) => claimDelivery(write, 'msg', { now: NOW, leaseMs: 1 }),
  'the next job': (store) => claim(store, NOW),
  'the next job but one in hand, and those of full accounts': (store) => claim(store, NOW, [1], ['acc']),
  'whether a job waits': ({ read }) => hasWaitingJobs(read, NOW, ['acc']),
  'a lease': ({ write }) => renew(write, JOB, NOW),
  'the end of a job': ({ write }) => finish(write, JOB, 'done'),
  'a job that is tried again': ({ write }) => retryLater(write, JOB, NOW, null),
  'a new job': ({ write }) => enqueue(write, 'purge', { serverId: 'srv' }, { dedupeKey: 'k' }),

  'ages of pages': ({ read }) => agesOfPages(read, ['src'], ['a', 'b']),
  'pages by address': ({ read }) => findPages(read, 'src', ['a', 'b']),
  'a page with the same text': ({ read }) => findSameText(read, 'src', { textHash: 'h', otherThan: 1, since: 1 }),
  'pages to go': ({ read }) => listToGo(read, { sourceId: 'src', run: 1, afterId: 0, limit: 9 }),
  'pages to publish': ({ read }) => listTexts(read, 'src', { batch: 9, isUnpublished: true }),
  'pages that are indexed': ({ read }) => listIndexed(read, 'src'),
  'a page that is settled': ({ write }) => updateSettledPage(write, 1, { id: 1, state: 'indexed', textHash: 'h' }),
  'pages without the one that they repeat': ({ write }) => promoteDuplicates(write, 'src'),
  'pages that repeat others': ({ read }) => listDuplicates(read, 'src'),
  'pages that are left': ({ write }) =>
    leaveUnsettled(write, { sourceId: 'src', run: 1, afterId: 0, limit: 9, reason: 'r', detail: 'd' }),
  'pages by state': ({ read }) => countPages(read, 'src', 1),
  'the size of addresses': ({ read }) => sizeOfAddresses(read, 'src'),
  'the size of a page': ({ read }) => sizeOfPage(read, 1),
  'the room of a source': ({ read }) => findSourceRoom(read, { id: 'src', serverId: 'srv' }),
  'the size of a source': ({ read }) => sizeOfSource(read, 'src'),
  'a page of the report': ({ read }) => reportedAfter(read, { sourceIds: ['a', 'b'] }, '', 50),

  'a page of the log': ({ read }) => listLoggedCalls(read, 'srv', { since: 1 }, { offset: 0, limit: 20 }),
  'a page of the log of one tool': ({ read }) =>
    listLoggedCalls(read, 'srv', { since: 1, tool: 't', client: 'c', status: 'ok' }, { offset: 0, limit: 20 }),
  'the length of the log': ({ read }) => countLoggedCalls(read, 'srv', { since: 1 }),
  'a call': ({ read }) => findLoggedCall(read, 'srv', 'call'),
  'calls whose citations are deleted': ({ read }) => deleteCitations(read, 'src'),
  'calls by tool': ({ read }) => countByTool(read, 'srv'),
  'calls by day': ({ read }) => countByPeriod(read, COUNTED, 'day'),
  'calls by day of one client and tool': ({ read }) =>
    countByPeriod(read, { ...COUNTED, client: 'a', tool: 'b' }, 'day'),
  'calls by hour': ({ read }) => countByPeriod(read, COUNTED, 'hour'),
  'calls by client': ({ read }) => countByClient(read, COUNTED, 20),
  'calls by name': ({ read }) => countByName(read, COUNTED, { by: 'client', limit: 20 }),
  'calls by name and hour': ({ read }) =>
    countByNameAndPeriod(read, COUNTED, { by: 'tool', period: 'hour', names: ['a'] }),
  'days with counts by hour': ({ read }) => daysWithHours(read, 1),
  'counts by hour of a day': (store) => store.transaction((tx) => moveHours(tx, { serverId: 'srv', day: 1 })),
  'calls to export': ({ read }) => loggedCallsAfter(read, 'srv', { since: 1 }, { after: { at: 9, seq: 9 }, limit: 9 }),
  'calls by question': ({ read }) => countByQuery(read, 'srv', TOP),
  'cited pages': ({ read }) => readCitedPages(read, COUNTED, { offset: 0, limit: 9, withDays: true }),
  'unanswered questions': ({ read }) => unansweredQueries(read, 'srv', TOP),
  'calls whose citations are not counted': (store) => store.transaction((tx) => foldCitations(tx, 9)),
  'calls that are too old': ({ write }) => deleteCallsBefore(write, 1),
  'calls of a server that are too old': ({ write }) => deleteCallsBefore(write, 1, 'srv'),
  'the oldest call to keep': ({ read }) => timeBeforeLast(read, 'srv', 9),
}

afterEach(() => void vi.restoreAllMocks())

/** Query plans of all statements that SQLite runs during `work`. */
async function plansOf(store: Store, work: () => Promise<unknown>): Promise<Map<string, string[]>> {
  const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare')
  await work()
  const statements = prepare.mock.calls.map(([statement]) => statement)
  prepare.mockRestore()
  const plans = new Map<string, string[]>()
  for (const statement of statements) {
    const { rows } = await sql.raw<{ detail: string }>(`explain query plan ${statement}`).execute(store.read)
    plans.set(
      statement,
      rows.map(({ detail }) => detail),
    )
  }
  return plans
}

/** Steps that scan a whole table or index. A statement may scan its own temporary tables, and JSON of a row. */
const scans = (steps: readonly string[]) =>
  steps.filter(
    (step) =>
      step.startsWith('SCAN') &&
      !/^SCAN (?:CONSTANT ROW|\(subquery|durations\b|live\b|waiting\b|heads\b|counted\b|cited VIRTUAL)/.test(step),
  )

test.each(Object.entries(HOT))('finds %s by an index on SQLite', async (_, work) => {
  await using store = await makeStore('sqlite')
  const { id } = await createAccount(store, { email: 'a@example.test', password: null, plan: 'free' })
  const plans = await plansOf(store, () => work(store, id))
  expect(plans.size).toBeGreaterThan(0)
  for (const [statement, steps] of plans) expect({ statement, scans: scans(steps) }).toEqual({ statement, scans: [] })
  const isInsert = [...plans.keys()].every((statement) => statement.startsWith('insert'))
  if (!isInsert) expect([...plans.values()].flat().some((step) => step.startsWith('SEARCH'))).toBe(true)
})

test('searches for sources of another format by the segments of that format only on SQLite', async () => {
  await using store = await makeStore('sqlite')
  const plans = await plansOf(store, () => sourcesWithStaleSegments(store.read, { format: 2, afterId: '', limit: 9 }))
  const ofSegments = [...plans.values()].flat().filter((step) => /^SEARCH segments\b/.test(step))
  expect(ofSegments).toEqual([
    'SEARCH segments USING INDEX segments_format (format<?)',
    'SEARCH segments USING INDEX segments_format (format>?)',
  ])
})

test('searches for pages with the same text by the start of its hash on SQLite', async () => {
  await using store = await makeStore('sqlite')
  const asked = { textHash: 'h', otherThan: 1, since: 1 }
  const plans = await plansOf(store, async () => {
    await findSameText(store.read, 'src', asked)
    await listDuplicates(store.read, 'src')
    await promoteDuplicates(store.write, 'src')
    await sizeOfSource(store.read, 'src')
  })
  const byStart = (steps: string[]) => steps.some((step) => step.includes('pages_text (source_id=? AND <expr>=?)'))
  const ofHashes = [...plans].filter(([statement]) => statement.includes('substr'))
  expect(ofHashes).toHaveLength(5)
  for (const [, steps] of ofHashes) expect(steps).toSatisfy(byStart)
})

test('detects a statement that scans a whole table', async () => {
  await using store = await makeStore('sqlite')
  const plans = await plansOf(store, () =>
    store.read.selectFrom('pages').select('id').where('textHash', '=', 'h').execute(),
  )
  expect([...plans.values()].map(scans)).toEqual([[expect.stringMatching(/^SCAN pages\b/)]])
})
