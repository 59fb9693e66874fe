import { planOf } from '#auth/plans.ts'
import { DocentError } from '#errors.ts'
import { countCustomTools } from '#store/servers/custom-tools.ts'
import type { Handler } from '../operation.ts'

export const createCustomTool: Handler<'customTools.create'> = async ({ deps, actor }) => {
  const limit = planOf(actor.plan).customTools
  const tools = await countCustomTools(deps.store.read, actor.accountId)
  if (tools >= limit) throw new DocentError('custom_tool_limit', { fields: { limit } })
  throw new DocentError('not_configured')
}
