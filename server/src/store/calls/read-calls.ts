import type { CallOrder } from '@docent/contract/operations/call-log'
import { REPORT_TOOL } from '@docent/contract/values/tools'
import { type Outcome, type Status, WITHOUT_ANSWER, outcomesOf } from '@docent/contract/values/outcomes'
import { type Selectable, sql } from 'kysely'
import { defined } from '#lib/objects.ts'
import type { Db } from '#store/db.ts'
import type { Schema } from '#store/schema.ts'
import { type ListPart, below, containsText, countRows, deleteRows, findRow, wordsOf } from '#store/rows.ts'
import { type LoggedCitation, withCitations } from './cited-pages.ts'
import { readArguments } from './write-calls.ts'

type Row = Selectable<Schema['calls']>
export type LoggedCall = Omit<Row, 'pageCitations'> & { citations: LoggedCitation[] }

/** Place of a call in a server's request log, which is ordered by time. */
export type LogPlace = { at: number; seq: number }

/** The next calls of a server after a place, oldest first, with references to the pages that they cite. */
export function citingCallsAfter(db: Db, serverId: string, { at, seq }: LogPlace, limit: number) {
  // The first condition is a range of the index. The second alone would not be one.
  const isAfter = sql<boolean>`at >= ${at} and (at > ${at} or seq > ${seq})`
  const calls = db.selectFrom('calls').select(['seq', 'at', 'day', 'pageCitations']).where('serverId', '=', serverId)
  return calls.where(isAfter).orderBy('at').orderBy('seq').limit(limit).execute()
}

async function complete(db: Db, rows: readonly Row[]): Promise<LoggedCall[]> {
  return (await withCitations(db, rows)).map((call) => ({ ...call, arguments: readArguments(call) }))
}

/** Call filter: since `since`, optionally of one tool, client, status, outcome, widget configuration, user of a developer, or feedback. */
export type CallFilter = {
  since: number
  tool?: string
  client?: string
  status?: Status
  outcome?: Outcome
  configuration?: string
  endUser?: string
  /** Words, of which the question has each. */
  search?: string
  feedback?: 'helpful' | 'not_helpful'
}

/** Calls of the log that a filter lets through. */
function matching(db: Db, serverId: string, { since, feedback, status, search, ...given }: CallFilter) {
  const wanted = defined({
    'calls.tool': given.tool,
    'calls.clientName': given.client,
    'calls.outcome': given.outcome,
    'calls.configurationId': given.configuration,
    'calls.endUserId': given.endUser,
  })
  const calls = db.selectFrom('calls').where('calls.serverId', '=', serverId).where('calls.at', '>=', since)
  const asking = wordsOf(search).map((word) => containsText(db, ['calls.query'], word))
  const same = calls.where((is) => is.and([is.and(wanted), ...asking]))
  const query = status === undefined ? same : same.where('calls.outcome', 'in', outcomesOf(status))
  if (feedback === undefined) return query
  return query.where(sql<boolean>`exists (
    select 1 from call_feedback where call_feedback.call_id = calls.id
      and call_feedback.configuration_id = calls.configuration_id and helpful = ${feedback === 'helpful' ? 1 : 0})`)
}

export const countLoggedCalls = (db: Db, serverId: string, filter: CallFilter) =>
  countRows(matching(db, serverId, filter))

/** The next calls of the log after a place, newest first. Null begins with the newest. */
export async function loggedCallsAfter(
  db: Db,
  serverId: string,
  filter: CallFilter,
  { after, limit }: { after: LogPlace | null; limit: number },
): Promise<LoggedCall[]> {
  const { at, seq } = after ?? { at: Number.MAX_SAFE_INTEGER, seq: 0 }
  const isAfter = sql<boolean>`at <= ${at} and (at < ${at} or seq < ${seq})`
  return complete(db, await newestFirst(db, serverId, filter).where(isAfter).limit(limit).execute())
}

const newestFirst = (db: Db, serverId: string, filter: CallFilter) =>
  matching(db, serverId, filter).selectAll().orderBy('at', 'desc').orderBy('seq', 'desc')

/** One page of the log, newest first by default. */
export async function listLoggedCalls(
  db: Db,
  serverId: string,
  filter: CallFilter,
  { offset, limit, sort = 'newest' }: ListPart & { sort?: CallOrder },
): Promise<LoggedCall[]> {
  const calls = matching(db, serverId, filter).selectAll()
  const direction = sort === 'oldest' ? 'asc' : 'desc'
  const ordered = sort === 'slowest' ? calls.orderBy('durationMs', 'desc') : calls
  const rows = ordered.orderBy('at', direction).orderBy('seq', direction).offset(offset).limit(limit)
  return complete(db, await rows.execute())
}

export async function findLoggedCall(db: Db, serverId: string, id: string): Promise<LoggedCall | undefined> {
  const row = await findRow(db, 'calls', { id, serverId })
  return row && (await complete(db, [row]))[0]
}

/** Citation counts of all sources of the server, in source order, including uncited ones. */
export function usesOfSources(db: Db, serverId: string) {
  const joined = db.selectFrom('sources').leftJoin('sourceUses', 'sourceUses.sourceId', 'sources.id')
  const used = joined.select(['id', 'url', 'label', 'type', 'segments', 'calls', 'citations', 'lastCitedAt'])
  return used.where('serverId', '=', serverId).orderBy('createdAt').orderBy('id').execute()
}

type Queries = { since: number; limit: number }

/** Questions and searches, case-insensitive, most frequent first. */
export const countByQuery = (db: Db, serverId: string, which: Queries) => queriesOf(db, serverId, which).execute()

/** A caller's report of a problem, or a visitor's of a widget. */
const isReport = sql<boolean>`tool = ${sql.lit(REPORT_TOOL.name)}`
const isNotHelpful = sql<boolean>`exists (select 1 from call_feedback where call_id = calls.id
  and call_feedback.configuration_id = calls.configuration_id and helpful = 0)`

/**
 * The same of those without a good answer: by their outcome, or because a visitor of a widget said so. `reportId` is the
 * last report of a problem. The literal outcomes make both engines use the partial index.
 */
export function unansweredQueries(db: Db, serverId: string, which: Queries) {
  const hasNoAnswer = sql<boolean>`outcome in (${sql.join(WITHOUT_ANSWER.map(sql.lit))})`
  const ids = () => db.selectFrom('calls').select('id').where('serverId', '=', serverId).where('at', '>=', which.since)
  const isAmong = ids()
    .where(hasNoAnswer)
    .union(ids().where('configurationId', 'is not', null).where(isNotHelpful))
  return queriesOf(db, serverId, which)
    .where('id', 'in', isAmong)
    .select(sql<number>`sum(case when ${isNotHelpful} then 1 else 0 end)`.as('notHelpful'))
    .select(sql<number>`sum(case when ${isReport} then 1 else 0 end)`.as('reports'))
    .select(sql<string | null>`max(case when ${isReport} then id end)`.as('reportId'))
    .execute()
}

/** Arguments of calls as JSON, by id. */
export async function argumentsOfCalls(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('calls').select(['id', 'arguments', 'query']).where('id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, readArguments(row)]))
}

/** `callId` is the last call. Its id begins with the time. */
function queriesOf(db: Db, serverId: string, { since, limit }: Queries) {
  return db
    .selectFrom('calls')
    .select([sql<string>`min(query)`.as('query'), sql<number>`count(*)`.as('calls')])
    .select([sql<number>`max(at)`.as('lastAskedAt'), sql<string>`max(id)`.as('callId')])
    .where('serverId', '=', serverId)
    .where('at', '>=', since)
    .where('query', 'is not', null)
    .groupBy(sql`lower(query)`)
    .orderBy('calls', 'desc')
    .orderBy('lastAskedAt', 'desc')
    .limit(limit)
}

/** Logged calls of widgets whose visitor said that the answer helped, or that it did not. */
export async function countFeedback(db: Db, serverId: string, filter: CallFilter) {
  const rows = await matching(db, serverId, filter)
    .innerJoin('callFeedback', (join) =>
      join
        .onRef('callFeedback.callId', '=', 'calls.id')
        .onRef('callFeedback.configurationId', '=', 'calls.configurationId'),
    )
    // Feedback comes after its call. Few calls have any.
    .where('callFeedback.at', '>=', filter.since)
    .select(['callFeedback.helpful', sql<number>`count(*)`.as('calls')])
    .groupBy('callFeedback.helpful')
    .execute()
  const callsOf = (value: number) => rows.find(({ helpful }) => helpful === value)?.calls ?? 0
  return { helpful: callsOf(1), notHelpful: callsOf(0) }
}

/** Saves a visitor's feedback on an answer. Replaces earlier feedback on the same call. */
export async function saveFeedback(db: Db, feedback: Selectable<Schema['callFeedback']>): Promise<void> {
  const { configurationId, helpful, at } = feedback
  await db
    .insertInto('callFeedback')
    .values(feedback)
    .onConflict((conflict) =>
      conflict
        .column('callId')
        .doUpdateSet({ helpful, at })
        .where('callFeedback.configurationId', '=', configurationId),
    )
    .execute()
}

/** Whether the answers helped, by id of the call. Feedback through another configuration than the call's is ignored. */
export async function feedbackOfCalls(db: Db, callIds: readonly string[]): Promise<Map<string, boolean>> {
  if (callIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('callFeedback')
    .innerJoin('calls', (join) =>
      join
        .onRef('calls.id', '=', 'callFeedback.callId')
        .onRef('calls.configurationId', '=', 'callFeedback.configurationId'),
    )
    .select(['callId', 'helpful'])
    .where('callId', 'in', callIds)
    .execute()
  return new Map(rows.map(({ callId, helpful }) => [callId, helpful === 1]))
}

/** Deletes feedback from before `at` whose call is not in the log. */
export function deleteStrayFeedback(db: Db, at: number): Promise<number> {
  const isStray = () => sql<boolean>`not exists (select 1 from calls where calls.id = call_feedback.call_id)`
  return deleteRows(db, 'callFeedback', { at: below(at), callId: isStray })
}
