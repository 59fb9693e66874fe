import { PREVIEWED_CALLS } from '@docent/contract/operations/retrieval-rules'
import type { RuleEffect } from '@docent/contract/values/rule-effects'
import { planOf } from '#auth/plans.ts'
import { DocentError, found } from '#errors.ts'
import { isoTimes } from '#lib/clock.ts'
import { defined } from '#lib/objects.ts'
import { newId } from '#lib/ids.ts'
import { listLoggedCalls } from '#store/calls/read-calls.ts'
import {
  type RuleRow,
  countRules,
  deleteRuleRow,
  insertRule,
  listRuleRows,
  updateRuleRow,
} from '#store/servers/retrieval-rules.ts'
import { findServedServer } from '#store/servers/served.ts'
import { lockServer } from '#store/servers/servers.ts'
import { type SourceRow, listSources } from '#store/sources/sources.ts'
import type { CompiledRule } from '#rules/compile-rule.ts'
import { type LookUpPlaces, readWithPlaces } from '#grammar/read-with-places.ts'
import { describeEffects } from '#rules/describe-effects.ts'
import { explainRefusal, explainRule } from '#rules/explain-rule.ts'
import { callFor, presentCompared } from './compare-answers.ts'
import { type CheckedCall, type Handler, type HandlersOf, done } from './operation.ts'

const EXAMPLE = 'Prefer the API reference over blog posts when a question names a function or an endpoint.'

const listRules: Handler<'retrievalRules.list'> & Handler<'retrievalRules.ofServer'> = async (call) => {
  const { deps, actor, server } = call
  const rules = await listRuleRows(deps.store.read, server.id)
  const sources = await listSources(deps.store.read, server.id)
  const limit = planOf(actor.plan).rulesPerServer
  return {
    rules: rules.map((rule) => presentRule(rule, sources)),
    limit,
    available: deps.features.retrievalRules,
    example: EXAMPLE,
  }
}

/** Time for the calls of a preview. The rest is left out. */
const MOST_MS = 10_000

export const ruleHandlers: HandlersOf<'retrievalRules'> = {
  'retrievalRules.list': listRules,
  'retrievalRules.ofServer': listRules,

  'retrievalRules.create': async (call, input) => {
    const { deps, actor, server, source, remember } = call
    const limit = planOf(actor.plan).rulesPerServer
    const overLimit = () => new DocentError('rule_limit', { fields: { limit } })
    const isFull = (await countRules(deps.store.read, server.id)) >= limit
    const { effects, understood, removed, sources } = await compileSentence(call, input, () => {
      if (isFull) throw overLimit()
    })
    return deps.store.transaction(async (tx) => {
      found(await lockServer(tx, server.id), 'rule_server_not_found')
      if ((await countRules(tx, server.id)) >= limit) throw overLimit()
      const now = deps.clock()
      const rule = {
        id: newId('rule'),
        serverId: server.id,
        sourceId: source?.id ?? null,
        naturalLanguage: input.naturalLanguage,
        enabled: 1,
        priority: 0,
        effects: JSON.stringify(effects),
        createdAt: now,
        updatedAt: now,
      }
      await insertRule(tx, rule)
      return remember(tx, { rule: presentRule(rule, sources), understood, removed })
    })
  },

  'retrievalRules.update': async ({ deps, rule }, { enabled, priority }) => {
    const changed = await deps.store.transaction(async (tx) => {
      await lockServer(tx, rule.serverId)
      const flag = enabled === undefined ? undefined : Number(enabled)
      return updateRuleRow(tx, rule, { ...defined({ enabled: flag, priority }), updatedAt: deps.clock() })
    })
    const { id, enabled: isOn, priority: place } = found(changed, 'rule_not_found')
    return { rule: { id, enabled: isOn === 1, priority: place } }
  },

  'retrievalRules.delete': ({ deps, rule }) =>
    done(deps, async (tx) => {
      await lockServer(tx, rule.serverId)
      await deleteRuleRow(tx, rule)
    }),

  'retrievalRules.preview': async (call, input) => {
    const { deps, server, source, signal } = call
    const { read } = deps.store
    const { effects, understood, removed } = await compileSentence(call, input)
    const served = found(await findServedServer(read, server.id), 'rule_server_not_found')
    const rules = [...(served.rules ?? []), { id: 'rule_preview', sourceId: source?.id ?? null, effects }]
    const { question } = input
    const asked = question === undefined ? null : callFor(served, question)
    const compared = asked && (await deps.previewCall(served, asked, { rules }))
    const answer = question && asked && compared ? presentCompared(question, null, { ...asked, ...compared }) : null
    await deps.flushCalls()
    const answered = { since: 0, status: 'ok' as const }
    const log = await listLoggedCalls(read, server.id, answered, { offset: 0, limit: PREVIEWED_CALLS })
    // The latest call of each tool with each list of arguments.
    const groups = Map.groupBy(log, ({ tool, arguments: args }) => `${tool} ${args}`)
    const calls = [...groups.values()].flatMap(([latest]) => latest ?? [])
    const until = deps.clock() + MOST_MS
    const changed = []
    let checked = 0
    for (const each of calls) {
      signal.throwIfAborted()
      if (deps.clock() > until) break
      const preview = await deps.previewCall(served, each, { rules })
      checked++
      if (preview === null) continue
      const { before, after } = preview
      if (placesOf(before.found) === placesOf(after.found)) continue
      const given = { callId: each.id, tool: each.tool, arguments: JSON.parse(each.arguments) as unknown }
      changed.push({ ...given, before: before.found, after: after.found, changesAnswer: before.text !== after.text })
    }
    return { effects, understood, removed, checked, complete: checked === calls.length, answer, changed }
  },
}

const placesOf = (passages: readonly { url: string; heading: string }[]): string =>
  passages.map(({ url, heading }) => `${url} ${heading}`).join('\n')

function presentRule(rule: RuleRow, sources: readonly SourceRow[]) {
  const effects = JSON.parse(rule.effects) as RuleEffect[]
  return { ...isoTimes(rule), enabled: rule.enabled === 1, effects, understood: describeEffects(effects, sources) }
}

type Sentence = { serverId: string; naturalLanguage: string }
type Given = Pick<CheckedCall<'retrievalRules.create'>, 'deps' | 'actor' | 'source' | 'signal'>

/**
 * Compiles a sentence to the effects of a rule of this server. Refuses a server without sources, a sentence that only
 * asks for what no rule can do or tries to instruct the service, and one of which a part is not understood. `refuse`
 * throws before the last, and then no language model is called.
 */
async function compileSentence(
  { deps, actor, source, signal }: Given,
  { serverId, naturalLanguage: sentence }: Sentence,
  refuse: () => void = () => {},
): Promise<{ effects: RuleEffect[]; understood: string[]; removed: string[]; sources: readonly SourceRow[] }> {
  if (!deps.features.retrievalRules) throw new DocentError('rules_unavailable')
  const sources = await listSources(deps.store.read, serverId)
  if (sources.length === 0) throw new DocentError('rule_needs_source')
  const server = { sources, sourceId: source?.id ?? null }
  const within = defined({ sourceId: source?.id })
  const lookUp: LookUpPlaces = async (questions) => {
    const served = await findServedServer(deps.store.read, serverId)
    const asked = questions.map((question) => ({ ...within, ...question }))
    return served ? deps.lookUpPlaces(served, asked) : null
  }
  const { read: drafted, nearest } = await readWithPlaces(
    (places) => deps.compileRule(sentence, { ...server, places }),
    lookUp,
  )
  const outOfScope = ({ removed }: CompiledRule) => new DocentError('rule_out_of_scope', { fields: { removed } })
  const isNothing = ({ effects, unclear, isOutOfScope }: CompiledRule) =>
    effects.length === 0 && unclear.length === 0 && isOutOfScope
  if (isNothing(drafted)) throw outOfScope(drafted)
  refuse()
  const compiled = await deps.improveRule(drafted, { sentence, server, lookUp, signal }, actor.accountId)
  if (isNothing(compiled)) throw outOfScope(compiled)
  const { effects, removed, unclear, contradictions } = compiled
  if (effects.length === 0 || unclear.length > 0 || contradictions.some(({ isTotal }) => isTotal)) {
    const message = explainRefusal(compiled, { sources, nearest })
    throw new DocentError('rule_not_compiled', { fields: { message } })
  }
  return { effects, understood: explainRule(compiled, sources), removed, sources }
}
