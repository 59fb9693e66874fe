import { planOf } from '#auth/plans.ts'
import { DocentError } from '#errors.ts'
import { newId } from '#lib/ids.ts'
import { countRules, insertRule } from '#store/servers/retrieval-rules.ts'
import { lockServer } from '#store/servers/servers.ts'
import type { Handler } from '../operation.ts'
import { compileSentence } from './compile-sentence.ts'
import { presentRule } from './present.ts'

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
