import { planOf } from '#auth/plans.ts'
import { listRuleRows } from '#store/servers/retrieval-rules.ts'
import type { Handler } from '../operation.ts'
import { presentRule } from './present.ts'

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
