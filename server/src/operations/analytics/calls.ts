import { PAGE_SIZE } from '@docent/contract/analytics'
import { feedbackOfCalls } from '#store/calls/feedback.ts'
import { type CallFilter, countLoggedCalls, listLoggedCalls, type LoggedCall } from '#store/calls/read-calls.ts'
import { readCitations } from '#store/calls/citations.ts'
import type { Handler } from '../operation.ts'
import { isoTime } from '../servers/present.ts'
import { startOf } from './range.ts'

export const listCalls: Handler<'analytics.calls'> = async ({ deps, server }, { range, page, ...wanted }) => {
  await deps.flushCalls()
  const db = deps.store.read
  const { tool, client, status } = wanted
  const filter: CallFilter = {
    since: startOf(range, deps.clock()),
    ...(tool === undefined ? {} : { tool }),
    ...(client === undefined ? {} : { client }),
    ...(status === undefined ? {} : { status }),
  }
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
  return {
    id: call.id,
    at: isoTime(call.at),
    tool: call.tool,
    arguments: JSON.parse(call.arguments) as unknown,
    client: { name: call.clientName, version: call.clientVersion },
    status: call.status,
    durationMs: Math.round(call.durationMs * 100) / 100,
    ...(call.error === null ? {} : { error: call.error }),
    ...(isHelpful === undefined ? {} : { feedback: isHelpful ? ('helpful' as const) : ('not_helpful' as const) }),
    citations: readCitations(call.citations),
  }
}
