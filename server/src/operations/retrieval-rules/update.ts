import { DocentError } from '#errors.ts'
import { updateRuleRow } from '#store/servers/retrieval-rules.ts'
import { lockServer } from '#store/servers/servers.ts'
import type { Handler } from '../operation.ts'
import { presentRule } from './present.ts'

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
