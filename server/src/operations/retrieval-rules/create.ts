import { planOf } from '#auth/plans.ts'
import { DocentError } from '#errors.ts'
import { countRules } from '#store/servers/retrieval-rules.ts'
import { listSources } from '#store/sources/sources.ts'
import type { Handler } from '../operation.ts'

export const createRule: Handler<'retrievalRules.create'> = async ({ deps, actor, server }) => {
  const { read } = deps.store
  if ((await listSources(read, server.id)).length === 0) throw new DocentError('rule_needs_source')
  const limit = planOf(actor.plan).rulesPerServer
  if ((await countRules(read, server.id)) >= limit) {
    throw new DocentError('rule_limit', { fields: { limit } })
  }
  throw new DocentError('rules_unavailable')
}
