import { deleteRuleRow } from '#store/servers/retrieval-rules.ts'
import type { Handler } from '../operation.ts'

export const deleteRule: Handler<'retrievalRules.delete'> = async ({ deps, rule }) => {
  await deleteRuleRow(deps.store.write, rule.id)
  return { ok: true }
}
