import { PREVIEWED_CALLS } from '@docent/contract/operations/retrieval-rules'
import type { RuleEffect } from '@docent/contract/values/rule-effects'
import { planOf } from '#auth/plans.ts'
import {
  listRuleRows,
  countRules,
  insertRule,
  updateRuleRow,
  deleteRuleRow,
  type RuleRow,
} from '#store/servers/retrieval-rules.ts'
import { DocentError } from '#errors.ts'
import { newId } from '#lib/ids.ts'
import { lockServer } from '#store/servers/servers.ts'
import { type LoggedCall, listLoggedCalls } from '#store/calls/read-calls.ts'
import { findServedServer } from '#store/servers/served.ts'
import { isoTime } from '#lib/clock.ts'
import type { Handler } from './operation.ts'
import { compileSentence } from './compile-sentence.ts'

const EXAMPLE = 'Prefer the API reference over blog posts when a question names a function or an endpoint.'

export const listRules: Handler<'retrievalRules.list'> & Handler<'retrievalRules.ofServer'> = async ({
  deps,
  actor,
  server,
}) => {
  const rules = await listRuleRows(deps.store.read, server.id)
  return {
    rules: rules.map(presentRule),
    limit: planOf(actor.plan).rulesPerServer,
    available: deps.features.retrievalRules,
    example: EXAMPLE,
  }
}

export const createRule: Handler<'retrievalRules.create'> = async (call, input) => {
  const { deps, actor, server, source, remember } = call
  const limit = planOf(actor.plan).rulesPerServer
  const isFull = (await countRules(deps.store.read, server.id)) >= limit
  const { effects, removed } = await compileSentence(call, input, () => {
    if (isFull) throw overLimit(limit)
  })
  return deps.store.transaction(async (tx) => {
    if (!(await lockServer(tx, server.id))) throw new DocentError('rule_server_not_found')
    if ((await countRules(tx, server.id)) >= limit) throw overLimit(limit)
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
    const answer = { rule: presentRule(rule), removed }
    await remember(tx, answer)
    return answer
  })
}

const overLimit = (limit: number): DocentError => new DocentError('rule_limit', { fields: { limit } })

export const updateRule: Handler<'retrievalRules.update'> = async ({ deps, rule }, { enabled, priority }) => {
  const changed = await deps.store.transaction(async (tx) => {
    await lockServer(tx, rule.serverId)
    return updateRuleRow(tx, rule, {
      ...(enabled === undefined ? {} : { enabled: enabled ? 1 : 0 }),
      ...(priority === undefined ? {} : { priority }),
      updatedAt: deps.clock(),
    })
  })
  if (!changed) throw new DocentError('rule_not_found')
  return { rule: presentRule(changed) }
}

export const deleteRule: Handler<'retrievalRules.delete'> = async ({ deps, rule }) => {
  await deps.store.transaction(async (tx) => {
    await lockServer(tx, rule.serverId)
    await deleteRuleRow(tx, rule)
  })
  return { ok: true }
}

/** Time for the calls of a preview. The rest is left out. */
const MOST_MS = 10_000

export const previewRule: Handler<'retrievalRules.preview'> = async (call, input) => {
  const { deps, server, source, signal } = call
  const { effects, removed } = await compileSentence(call, input)
  const served = await findServedServer(deps.store.read, server.id)
  if (!served) throw new DocentError('rule_server_not_found')
  const rules = [...(served.rules ?? []), { id: 'rule_preview', sourceId: source?.id ?? null, effects }]
  await deps.flushCalls()
  const log = await listLoggedCalls(
    deps.store.read,
    server.id,
    { since: 0, status: 'ok' },
    { offset: 0, limit: PREVIEWED_CALLS },
  )
  const calls = differentCalls(log)
  const until = deps.clock() + MOST_MS
  const changed = []
  let checked = 0
  for (const each of calls) {
    signal.throwIfAborted()
    if (deps.clock() > until) break
    const preview = await deps.previewCall(served, each, rules)
    checked++
    if (preview === null || !isChanged(preview)) continue
    changed.push({ callId: each.id, tool: each.tool, arguments: JSON.parse(each.arguments) as unknown, ...preview })
  }
  return { effects, removed, checked, complete: checked === calls.length, changed }
}

/** The latest call of each tool with each list of arguments. `calls` has the latest first. */
function differentCalls(calls: readonly LoggedCall[]): LoggedCall[] {
  const seen = new Set<string>()
  return calls.filter((call) => {
    const key = `${call.tool} ${call.arguments}`
    const isNew = !seen.has(key)
    seen.add(key)
    return isNew
  })
}

type Passages = readonly { url: string; heading: string }[]

function isChanged({ before, after }: { before: Passages; after: Passages }): boolean {
  const keyOf = (passages: Passages) => passages.map(({ url, heading }) => `${url} ${heading}`).join('\n')
  return keyOf(before) !== keyOf(after)
}

function presentRule(rule: RuleRow) {
  return {
    id: rule.id,
    enabled: rule.enabled === 1,
    priority: rule.priority,
    effects: JSON.parse(rule.effects) as RuleEffect[],
    serverId: rule.serverId,
    sourceId: rule.sourceId,
    naturalLanguage: rule.naturalLanguage,
    createdAt: isoTime(rule.createdAt),
  }
}
