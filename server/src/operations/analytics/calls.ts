import { PAGE_SIZE } from '@docent/contract/call-log'
import { feedbackOfCalls } from '#store/calls/feedback.ts'
import { readCitations } from '#store/calls/citations.ts'
import { countLoggedCalls, listLoggedCalls, type LoggedCall } from '#store/calls/read-calls.ts'
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
  const feedback = await feedbackOfCalls(
    db,
    rows.flatMap(({ id, configurationId }) => (configurationId === null ? [] : [id])),
  )
  return {
    calls: rows.map((row) => present(row, feedback.get(row.id))),
    page,
    pageSize: PAGE_SIZE,
    total,
    totalPages: Math.ceil(total / PAGE_SIZE),
  }
}

function present(call: LoggedCall, isHelpful: boolean | undefined) {
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
    ...(isHelpful === undefined ? {} : { feedback: isHelpful ? ('helpful' as const) : ('not_helpful' as const) }),
    citations: readCitations(call.citations),
  }
}

export const roundedMs = (durationMs: number): number => Math.round(durationMs * 100) / 100
