import { addressesModel } from '#answer/addresses-model.ts'
import { DocentError } from '#errors.ts'
import { findCustomTool, updateToolWords } from '#store/servers/custom-tools.ts'
import { lockAccount } from '#store/servers/servers.ts'
import type { Handler } from '../operation.ts'
import { presentCustomTool } from './present.ts'

export const updateCustomTool: Handler<'customTools.update'> = async ({ deps, actor, customTool }, given) => {
  refuseWords(given)
  const { accountId } = actor
  return deps.store.transaction(async (tx) => {
    await lockAccount(tx, accountId)
    const tool = await findCustomTool(tx, accountId, customTool.id)
    if (!tool) throw new DocentError('custom_tool_not_found')
    const { displayName = tool.displayName, description = tool.description } = given
    const plan = { ...(JSON.parse(tool.plan ?? '{}') as Record<string, unknown>), displayName, description }
    const changed = await updateToolWords(tx, tool, {
      displayName,
      description,
      plan: JSON.stringify(plan),
      updatedAt: deps.clock(),
    })
    if (!changed) throw new DocentError('custom_tool_not_ready')
    return presentCustomTool(changed)
  })
}

/** Models read these words, as they read those of a built plan. */
function refuseWords({
  displayName = '',
  description = '',
}: {
  displayName?: string | undefined
  description?: string | undefined
}): void {
  const texts = [displayName, description]
  if (texts.some((text) => addressesModel(text) || /\bhttps?:\/\//i.test(text)))
    throw new DocentError('custom_tool_words')
}
