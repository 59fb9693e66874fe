import { DocentError } from '#errors.ts'
import { deleteCustomToolRow, replaceTools, serversWithTool } from '#store/servers/custom-tools.ts'
import { lockAccount } from '#store/servers/servers.ts'
import type { Handler } from '../operation.ts'
import { fewToolsNotice } from '../tools/get.ts'

/** Also removes the tool from deleted servers, which may be restored, but does not report those. */
export const deleteCustomTool: Handler<'customTools.delete'> = async ({ deps, actor, customTool }) => {
  const name = `custom:${customTool.id}`
  const { accountId } = actor
  const now = deps.clock()
  const detachedFrom = await deps.store.transaction(async (tx) => {
    await lockAccount(tx, accountId)
    if (!(await deleteCustomToolRow(tx, accountId, customTool.id))) throw new DocentError('custom_tool_not_found')
    const detached = []
    for (const server of await serversWithTool(tx, accountId, name)) {
      const tools = JSON.parse(server.tools) as string[]
      const remaining = tools.filter((tool) => tool !== name)
      if (remaining.length === tools.length) continue
      await replaceTools(tx, server.id, JSON.stringify(remaining), now)
      if (server.deletedAt !== null) continue
      detached.push({
        id: server.id,
        name: server.name,
        slug: server.slug,
        remainingTools: remaining.length,
        ...fewToolsNotice(remaining.length),
      })
    }
    return detached
  })
  return { ok: true, detachedFrom }
}
