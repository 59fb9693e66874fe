import { planOf } from '#auth/plans.ts'
import { listCustomToolRows } from '#store/servers/custom-tools.ts'
import type { Handler } from '../operation.ts'
import { presentCustomTool } from './present.ts'

export const listCustomTools: Handler<'customTools.list'> = async ({ deps, actor }) => {
  const tools = await listCustomToolRows(deps.store.read, actor.accountId)
  return {
    tools: tools.map(presentCustomTool),
    limit: planOf(actor.plan).customTools,
    available: deps.features.customTools,
  }
}
