import { PAGE_SIZE } from '@docent/contract/operations/call-log'
import { statusOf } from '@docent/contract/values/outcomes'
import type { FEEDBACK } from '@docent/contract/values/analytics-fields'
import { isoTime } from '#lib/clock.ts'
import { defined } from '#lib/objects.ts'
import type { RuleNote } from '#search/rules/active-rules.ts'
import {
  type CallFilter,
  type LoggedCall,
  countLoggedCalls,
  feedbackOfCalls,
  type LogPlace,
  listLoggedCalls,
  loggedCallsAfter,
} from '#store/calls/read-calls.ts'
import type { Db } from '#store/db.ts'
import { listRuleRows } from '#store/servers/retrieval-rules.ts'
import { findServedServer } from '#store/servers/served.ts'
import type { HandlersOf } from '../operation.ts'
import { pagingOf, partOf } from '../paging.ts'
import { startOf } from './series.ts'

/** Calls per read of an export: about 3 ms on SQLite, which blocks everything else. Only these are in memory. */
const BATCH = 200

export const callHandlers: Pick<HandlersOf<'analytics'>, 'analytics.calls' | 'analytics.exportCalls'> &
  HandlersOf<'calls'> = {
  'analytics.calls': async ({ deps, server }, { range, page, sort, ...wanted }) => {
    await deps.flushCalls()
    const db = deps.store.read
    const filter = { since: startOf(range, deps.clock()), ...defined(wanted) }
    const total = await countLoggedCalls(db, server.id, filter)
    const rows = await listLoggedCalls(db, server.id, filter, { ...partOf(page, PAGE_SIZE), sort })
    const feedback = await feedbackOn(db, rows)
    return { calls: rows.map((row) => present(row, feedback.get(row.id))), ...pagingOf(page, PAGE_SIZE, total) }
  },

  'analytics.exportCalls': async ({ deps, server }, { range, ...wanted }) => {
    await deps.flushCalls()
    return exportedRows(deps.store.read, server.id, { since: startOf(range, deps.clock()), ...defined(wanted) })
  },

  'calls.trace': async ({ deps, server, call }) => {
    const db = deps.store.read
    const served = await findServedServer(db, server.id)
    const { searches, remark } = served
      ? await deps.traceCall(served, call)
      : { searches: [], remark: 'The server has been deleted meanwhile.' }
    const now = (served?.sources ?? []).flatMap(({ segments }) => segments).join(' ')
    const noted = searches.flatMap((search) => search.rules)
    const notes = Map.groupBy(noted, ({ ruleId }) => ruleId)
    const rules = (await listRuleRows(db, server.id)).map(({ id, naturalLanguage, enabled }) => {
      const effect = describeEffect(enabled === 1, notes.get(id) ?? [])
      return { ruleId: id, naturalLanguage, enabled: enabled === 1, effect }
    })
    return {
      ...logged(call),
      callId: call.id,
      version: call.segments === null ? 'unknown' : call.segments === now ? 'same' : 'changed',
      complete: remark === null,
      // The tool runs again without the model, as it did when the model failed.
      remark: remark ?? (statusOf(call.outcome) === 'ok' ? call.error : null),
      rules,
      searches: searches.map(({ request: { query, ...filters }, repaired, ...search }) => ({
        query,
        filters,
        ...search,
        repaired: repaired.map(([given, used]) => ({ given, used })),
      })),
      recorded: call.citations,
    }
  },
}

type Feedback = (typeof FEEDBACK)[number]

/** What visitors said about the answers, by id of the call. */
async function feedbackOn(db: Db, calls: readonly LoggedCall[]): Promise<Map<string, Feedback>> {
  const ofWidgets = calls.flatMap(({ id, configurationId }) => (configurationId === null ? [] : [id]))
  const given = await feedbackOfCalls(db, ofWidgets)
  return new Map([...given].map(([id, isHelpful]) => [id, isHelpful ? 'helpful' : 'not_helpful']))
}

const logged = (call: LoggedCall) => ({
  ...call,
  status: statusOf(call.outcome),
  at: isoTime(call.at),
  durationMs: Math.round(call.durationMs * 100) / 100,
  arguments: JSON.parse(call.arguments) as unknown,
})

function present(call: LoggedCall, feedback: Feedback | undefined) {
  const { clientName, clientVersion, configurationId, endUserId, error, ...rest } = logged(call)
  return {
    ...rest,
    client: { name: clientName, version: clientVersion },
    ...(configurationId === null ? {} : { attribution: { configurationId, endUserId } }),
    ...(error === null ? {} : { error }),
    ...defined({ feedback }),
  }
}

async function* exportedRows(db: Db, serverId: string, filter: CallFilter) {
  for (let after: LogPlace | null = null; ;) {
    const batch: LoggedCall[] = await loggedCallsAfter(db, serverId, filter, { after, limit: BATCH })
    const feedback = await feedbackOn(db, batch)
    for (const call of batch) yield { ...logged(call), feedback: feedback.get(call.id) ?? null }
    const last = batch.at(-1)
    if (batch.length < BATCH || !last) return
    after = { at: last.at, seq: last.seq }
  }
}

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
