import { PAGE_SIZE } from '@docent/contract/analytics'
import {
  type CallFilter,
  citationsOfCalls,
  countLoggedCalls,
  listLoggedCalls,
  type LoggedCall,
  type LoggedCitation,
} from '#store/calls/read-calls.ts'
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
  const citations = Map.groupBy(
    await citationsOfCalls(
      db,
      rows.map(({ id }) => id),
    ),
    ({ callId }) => callId,
  )
  return {
    calls: rows.map((row) => present(row, citations.get(row.id) ?? [])),
    page,
    pageSize: PAGE_SIZE,
    total,
    totalPages: Math.ceil(total / PAGE_SIZE),
  }
}

function present(call: LoggedCall, citations: readonly LoggedCitation[]) {
  return {
    id: call.id,
    at: isoTime(call.at),
    tool: call.tool,
    arguments: JSON.parse(call.arguments) as unknown,
    client: { name: call.clientName, version: call.clientVersion },
    status: call.status,
    durationMs: Math.round(call.durationMs * 100) / 100,
    ...(call.error === null ? {} : { error: call.error }),
    citations: citations.map(({ sourceId, url, title, rank, score }) => ({ sourceId, url, title, rank, score })),
  }
}
