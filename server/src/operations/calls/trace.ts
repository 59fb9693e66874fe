import { readCitations } from '#store/calls/write-calls.ts'
import { listRuleRows } from '#store/servers/retrieval-rules.ts'
import { findServedServer } from '#store/servers/served.ts'
import type { Handler } from '../operation.ts'
import { describeEffect } from '../retrieval-rules/describe-effect.ts'
import { isoTime } from '../servers/present.ts'

export const getTrace: Handler<'calls.trace'> = async ({ deps, server, call }) => {
  const db = deps.store.read
  const served = await findServedServer(db, server.id)
  const { searches, remark } = served
    ? await deps.traceCall(served, call)
    : { searches: [], remark: 'The server has been deleted meanwhile.' }
  const now = (served?.sources ?? []).flatMap(({ segments }) => segments).join(' ')
  const rules = await listRuleRows(db, server.id)
  return {
    callId: call.id,
    at: isoTime(call.at),
    tool: call.tool,
    arguments: JSON.parse(call.arguments) as unknown,
    confidence: call.confidence,
    version: call.segments === null ? 'unknown' : call.segments === now ? 'same' : 'changed',
    complete: remark === null,
    // The tool runs again without the model, as it did when the model failed.
    remark: remark ?? (call.status === 'ok' ? call.error : null),
    rules: rules.map(({ id, naturalLanguage, enabled }) => ({
      ruleId: id,
      naturalLanguage,
      enabled: enabled === 1,
      effect: describeEffect(
        enabled === 1,
        searches.flatMap((search) => search.rules.filter(({ ruleId }) => ruleId === id)),
      ),
    })),
    searches: searches.map(({ request: { query, ...filters }, repaired, ...search }) => ({
      query,
      filters,
      ...search,
      repaired: repaired.map(([given, used]) => ({ given, used })),
    })),
    recorded: readCitations(call.citations),
  }
}
