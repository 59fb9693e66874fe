import { deleteRuleRow } from '#store/servers/retrieval-rules.ts'
import { lockServer } from '#store/servers/servers.ts'
import type { Handler } from '../operation.ts'

export const deleteRule: Handler<'retrievalRules.delete'> = async ({ deps, rule }) => {
  await deps.store.transaction(async (tx) => {
    await lockServer(tx, rule.serverId)
    await deleteRuleRow(tx, rule)
  })
  return { ok: true }
}
