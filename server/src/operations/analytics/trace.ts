import { readCitations } from '#store/calls/write-calls.ts'
import { listRuleRows } from '#store/servers/retrieval-rules.ts'
import { findServedServer } from '#store/servers/served.ts'
import { isoTime } from '#lib/clock.ts'
import type { RuleNote } from '#search/rules/active-rules.ts'
import type { Handler } from '../operation.ts'

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

/** Describes in a sentence what a rule did in the searches of a call. */
function describeEffect(isEnabled: boolean, notes: readonly RuleNote[]): string {
  if (!isEnabled) return 'None: the rule is disabled.'
  if (notes.length === 0) return 'None: the call searched for nothing.'
  if (!notes.some(({ applies }) => applies)) return 'None: the call does not meet the condition of the rule.'
  const sum = (of: 'raised' | 'lowered' | 'sourcesLeftOut' | 'pagesLeftOut') =>
    notes.reduce((total, note) => total + note[of], 0)
  const added = [...new Set(notes.flatMap((note) => note.added))]
  const perSource = notes.find((note) => note.perSource !== null)?.perSource ?? null
  const parts = [
    counted('Moved', sum('raised'), 'passage', 'up'),
    counted('Moved', sum('lowered'), 'passage', 'down'),
    counted('Left out', sum('sourcesLeftOut'), 'source'),
    counted('Left out', sum('pagesLeftOut'), 'page'),
    added.length > 0 ? `Also searched for: ${added.join(', ')}.` : '',
    perSource === null ? '' : `Showed at most ${perSource} passages per source.`,
  ].filter(Boolean)
  return parts.length > 0 ? parts.join(' ') : 'None: no passage of the call is concerned.'
}

function counted(verb: string, count: number, noun: string, direction = ''): string {
  if (count === 0) return ''
  return `${verb} ${count} ${noun}${count === 1 ? '' : 's'}${direction && ` ${direction}`}.`
}
