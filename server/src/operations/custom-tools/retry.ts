import { DocentError } from '#errors.ts'
import { lockAccount } from '#store/servers/servers.ts'
import { restartBuild } from '#store/servers/custom-tools.ts'
import type { Handler } from '../operation.ts'
import { refuseBeyondLimit, refuseUnlessConfigured } from './create.ts'
import { followBuild } from './follow-build.ts'

export const retryCustomTool: Handler<'customTools.retry'> = async ({ deps, actor, customTool }) => {
  refuseUnlessConfigured(deps)
  await deps.store.transaction(async (tx) => {
    await lockAccount(tx, actor.accountId)
    await refuseBeyondLimit(tx, actor)
    if (!(await restartBuild(tx, customTool.id, deps.clock()))) throw new DocentError('custom_tool_not_failed')
  })
  return followBuild(deps, customTool.id)
}
