import type { Db } from '#store/db.ts'
import { readCitations } from '#store/calls/write-calls.ts'
import { type CallFilter, type LogPlace, type LoggedCall, loggedCallsAfter } from '#store/calls/read-calls.ts'
import type { Handler } from '../operation.ts'
import { isoTime } from '../servers/present.ts'
import { filterOf } from './call-filter.ts'
import { feedbackOn, roundedMs } from './calls.ts'
import { startOf } from './range.ts'

/** Calls per read: about 3 ms on SQLite, which blocks everything else. Only these are in memory. */
const BATCH = 200

export const exportCalls: Handler<'analytics.exportCalls'> = async (
  { deps, server },
  { range, format: _, ...wanted },
) => {
  await deps.flushCalls()
  return rows(deps.store.read, server.id, { since: startOf(range, deps.clock()), ...filterOf(wanted) })
}

async function* rows(db: Db, serverId: string, filter: CallFilter) {
  for (let after: LogPlace | null = null; ;) {
    const batch: LoggedCall[] = await loggedCallsAfter(db, serverId, filter, { after, limit: BATCH })
    const feedback = await feedbackOn(db, batch)
    for (const call of batch) yield { ...present(call), feedback: feedback.get(call.id) ?? null }
    const last = batch.at(-1)
    if (batch.length < BATCH || !last) return
    after = { at: last.at, seq: last.seq }
  }
}

const present = (call: LoggedCall) => ({
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
