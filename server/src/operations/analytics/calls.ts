import type { FEEDBACK } from '@docent/contract/values/analytics-fields'
import { PAGE_SIZE } from '@docent/contract/operations/call-log'
import type { Db } from '#store/db.ts'
import { feedbackOfCalls, countLoggedCalls, listLoggedCalls, type LoggedCall } from '#store/calls/read-calls.ts'
import { readCitations } from '#store/calls/write-calls.ts'
import type { Handler } from '../operation.ts'
import { isoTime } from '../servers/present.ts'
import { filterOf } from './call-filter.ts'
import { startOf } from './range.ts'

export const listCalls: Handler<'analytics.calls'> = async ({ deps, server }, { range, page, ...wanted }) => {
  await deps.flushCalls()
  const db = deps.store.read
  const filter = { since: startOf(range, deps.clock()), ...filterOf(wanted) }
  const total = await countLoggedCalls(db, server.id, filter)
  const rows = await listLoggedCalls(db, server.id, filter, { offset: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE })
  const feedback = await feedbackOn(db, rows)
  return {
    calls: rows.map((row) => present(row, feedback.get(row.id))),
    page,
    pageSize: PAGE_SIZE,
    total,
    totalPages: Math.ceil(total / PAGE_SIZE),
  }
}

/** What visitors said about the answers, by id of the call. */
export async function feedbackOn(db: Db, calls: readonly LoggedCall[]): Promise<Map<string, Feedback>> {
  const ofWidgets = calls.flatMap(({ id, configurationId }) => (configurationId === null ? [] : [id]))
  const given = await feedbackOfCalls(db, ofWidgets)
  return new Map([...given].map(([id, isHelpful]) => [id, isHelpful ? 'helpful' : 'not_helpful']))
}

type Feedback = (typeof FEEDBACK)[number]

function present(call: LoggedCall, feedback: Feedback | undefined) {
  const { configurationId, endUserId } = call
  return {
    id: call.id,
    at: isoTime(call.at),
    tool: call.tool,
    arguments: JSON.parse(call.arguments) as unknown,
    client: { name: call.clientName, version: call.clientVersion },
    ...(configurationId === null ? {} : { attribution: { configurationId, endUserId } }),
    status: call.status,
    durationMs: roundedMs(call.durationMs),
    ...(call.error === null ? {} : { error: call.error }),
    ...(feedback === undefined ? {} : { feedback }),
    citations: readCitations(call.citations),
  }
}

export const roundedMs = (durationMs: number): number => Math.round(durationMs * 100) / 100
