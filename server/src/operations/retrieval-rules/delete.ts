import { deleteRule as deleteRow } from '#store/retrieval-rules.ts'
import type { Handler } from '../operation.ts'

export const deleteRule: Handler<'retrievalRules.delete'> = async ({ deps, rule }) => {
  await deleteRow(deps.store.write, rule.id)
  return { ok: true }
}
