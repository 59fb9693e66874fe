import type { FEEDBACK } from '@docent/contract/values/analytics-fields'
import { PAGE_SIZE } from '@docent/contract/operations/call-log'
import type { Db } from '#store/db.ts'
import {
  feedbackOfCalls,
  countLoggedCalls,
  listLoggedCalls,
  type LoggedCall,
  type CallFilter,
  loggedCallsAfter,
} from '#store/calls/read-calls.ts'
import { type LogPlace, readCitations } from '#store/calls/write-calls.ts'
import { isoTime } from '#lib/clock.ts'
import type { Handler } from '../operation.ts'
import { pagingOf, partOf } from '../paging.ts'
import { startOf } from './range.ts'

export const listCalls: Handler<'analytics.calls'> = async ({ deps, server }, { range, page, ...wanted }) => {
  await deps.flushCalls()
  const db = deps.store.read
  const filter = { since: startOf(range, deps.clock()), ...filterOf(wanted) }
  const total = await countLoggedCalls(db, server.id, filter)
  const rows = await listLoggedCalls(db, server.id, filter, partOf(page, PAGE_SIZE))
  const feedback = await feedbackOn(db, rows)
  return {
    calls: rows.map((row) => present(row, feedback.get(row.id))),
    ...pagingOf(page, PAGE_SIZE, total),
  }
}

/** What visitors said about the answers, by id of the call. */
async function feedbackOn(db: Db, calls: readonly LoggedCall[]): Promise<Map<string, Feedback>> {
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

const roundedMs = (durationMs: number): number => Math.round(durationMs * 100) / 100

/** Calls per read: about 3 ms on SQLite, which blocks everything else. Only these are in memory. */
const BATCH = 200

export const exportCalls: Handler<'analytics.exportCalls'> = async (
  { deps, server },
  { range, format: _, ...wanted },
) => {
  await deps.flushCalls()
  return exportedRows(deps.store.read, server.id, { since: startOf(range, deps.clock()), ...filterOf(wanted) })
}

async function* exportedRows(db: Db, serverId: string, filter: CallFilter) {
  for (let after: LogPlace | null = null; ;) {
    const batch: LoggedCall[] = await loggedCallsAfter(db, serverId, filter, { after, limit: BATCH })
    const feedback = await feedbackOn(db, batch)
    for (const call of batch) yield { ...presentRow(call), feedback: feedback.get(call.id) ?? null }
    const last = batch.at(-1)
    if (batch.length < BATCH || !last) return
    after = { at: last.at, seq: last.seq }
  }
}

const presentRow = (call: LoggedCall) => ({
  id: call.id,
  at: isoTime(call.at),
  tool: call.tool,
  status: call.status,
  durationMs: roundedMs(call.durationMs),
  query: call.query,
  confidence: call.confidence,
  error: call.error,
  clientName: call.clientName,
  clientVersion: call.clientVersion,
  configurationId: call.configurationId,
  endUserId: call.endUserId,
  arguments: JSON.parse(call.arguments) as unknown,
  citations: readCitations(call.citations),
})

/** Filters of an operation, as validated. */
type Given = {
  [Name in Exclude<keyof CallFilter, 'since'>]?: CallFilter[Name] | undefined
}

/** The given filters, without those that are absent. */
export function filterOf({ tool, client, status, configuration, endUser, feedback }: Given): Omit<CallFilter, 'since'> {
  return {
    ...(tool === undefined ? {} : { tool }),
    ...(client === undefined ? {} : { client }),
    ...(status === undefined ? {} : { status }),
    ...(configuration === undefined ? {} : { configuration }),
    ...(endUser === undefined ? {} : { endUser }),
    ...(feedback === undefined ? {} : { feedback }),
  }
}
