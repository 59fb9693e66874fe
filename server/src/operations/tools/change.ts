import { MAX_TOOLS, MIN_TOOLS } from '@docent/contract/values/tools'
import { DocentError } from '#errors.ts'
import { lockServer, updateServerRow } from '#store/servers/servers.ts'
import type { Handler } from '../operation.ts'
import { selectableTools } from './selectable-tools.ts'

export const changeServerTools: Handler<'tools.change'> = async ({ deps, actor, server }, { tools, add, remove }) => {
  if (!tools && !add && !remove) throw new DocentError('tools_required')
  return deps.store.transaction(async (tx) => {
    const current = await lockServer(tx, server.id)
    if (!current) throw new DocentError('server_not_found')
    const before = JSON.parse(current.tools) as string[]
    const { valid, whyNotReady } = await selectableTools(tx, actor.accountId)
    // Selected names remain valid even if the tool no longer exists. Otherwise they could not be removed.
    const named = tools ?? [...(add ?? []), ...(remove ?? []).filter((name) => !before.includes(name))]
    const unknown = named.filter((name) => !valid.includes(name))
    if (unknown.length > 0) {
      const message = whyNotReady(unknown)
      const fields = { unknown, validTools: valid, ...(message === null ? {} : { message }) }
      throw new DocentError('unknown_tool', { fields })
    }

    const after = tools ?? change(before, add ?? [], remove ?? [])
    if (after.length < MIN_TOOLS) {
      const text = `An MCP server needs at least ${MIN_TOOLS} tools. That change would leave ${after.length}.`
      throw new DocentError('too_few_tools', { text, fields: { tools: before } })
    }
    if (after.length > MAX_TOOLS) throw new DocentError('too_many_tools')
    if (JSON.stringify(after) !== current.tools) {
      await updateServerRow(tx, server.id, { tools: JSON.stringify(after), updatedAt: deps.clock() })
    }
    return {
      serverId: current.id,
      slug: current.slug,
      tools: after,
      added: after.filter((name) => !before.includes(name)),
      removed: before.filter((name) => !after.includes(name)),
    }
  })
}

/** A name that is both added and removed is removed. */
function change(before: readonly string[], add: readonly string[], remove: readonly string[]): string[] {
  return [...new Set([...before, ...add])].filter((name) => !remove.includes(name))
}
