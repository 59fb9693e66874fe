import { BUILT_IN_TOOLS, MAX_TOOLS, MIN_TOOLS, REPORT_TOOL, kindsFor } from '@docent/contract/values/tools'
import { listCustomToolRows, type CustomToolRow } from '#store/servers/custom-tools.ts'
import { listSources } from '#store/sources/sources.ts'
import { DocentError, found } from '#errors.ts'
import { lockServer, updateServerRow } from '#store/servers/servers.ts'
import { findServedServer } from '#store/servers/served.ts'
import type { Db } from '#store/db.ts'
import type { HandlersOf } from '../operation.ts'

export const toolHandlers: HandlersOf<'tools'> = {
  'tools.get': async ({ deps, actor, server }) => {
    const sources = await listSources(deps.store.read, server.id)
    const custom = await listCustomToolRows(deps.store.read, actor.accountId)
    const selected = JSON.parse(server.tools) as string[]
    return {
      serverId: server.id,
      slug: server.slug,
      tools: selected,
      available: BUILT_IN_TOOLS.map((tool) => ({
        ...tool,
        inputSchema: deps.inputSchemaOf(tool.name, sources),
        needs: kindsFor(tool.name),
      })),
      customTools: custom.map(({ error, ...tool }) => ({ ...tool, ...(error === null ? {} : { error }) })),
      ...fewToolsNotice(selected.length),
      minTools: MIN_TOOLS,
      maxTools: MAX_TOOLS,
    }
  },

  'tools.change': async ({ deps, actor, server }, { tools, add, remove }) => {
    if (!tools && !add && !remove) throw new DocentError('tools_required')
    return deps.store.transaction(async (tx) => {
      const current = found(await lockServer(tx, server.id), 'server_not_found')
      const before = JSON.parse(current.tools) as string[]
      const { valid, whyNotReady } = await selectableTools(tx, actor.accountId)
      // Selected names remain valid even if the tool no longer exists. Otherwise they could not be removed.
      const named = tools ?? [...(add ?? []), ...(remove ?? []).filter((name) => !before.includes(name))]
      const unknown = named.filter((name) => name !== REPORT_TOOL.name && !valid.includes(name))
      if (unknown.length > 0) {
        const message = whyNotReady(unknown)
        const fields = { unknown, validTools: valid, ...(message === null ? {} : { message }) }
        throw new DocentError('unknown_tool', { fields })
      }
      // A name that is both added and removed is removed.
      const after = tools ?? [...new Set([...before, ...(add ?? [])])].filter((name) => !remove?.includes(name))
      if (after.length < MIN_TOOLS) {
        const text = `An MCP server needs at least ${MIN_TOOLS} tools. That change would leave ${after.length}.`
        throw new DocentError('too_few_tools', { text, fields: { tools: before } })
      }
      if (after.length > MAX_TOOLS) throw new DocentError('too_many_tools')
      const changed = JSON.stringify(after)
      if (changed !== current.tools) {
        await updateServerRow(tx, server.id, { tools: changed, updatedAt: deps.clock() })
      }
      return {
        serverId: current.id,
        slug: current.slug,
        tools: after,
        added: after.filter((name) => !before.includes(name)),
        removed: before.filter((name) => !after.includes(name)),
      }
    })
  },

  'tools.try': async ({ deps, server, signal }, { tool, arguments: args }) => {
    const served = found(await findServedServer(deps.store.read, server.id), 'server_not_found')
    return deps.tryTool(served, { tool, arguments: args }, signal)
  },
}

/** After the deletion of a custom tool, a server can have fewer tools than a selection needs. It keeps working. */
export function fewToolsNotice(count: number): { notice?: string } {
  if (count >= MIN_TOOLS) return {}
  const has = count === 0 ? 'no tool' : count === 1 ? 'one tool' : `${count} tools`
  return { notice: `This server has ${has} and goes on working. Its next selection needs at least ${MIN_TOOLS}.` }
}

export type SelectableTools = Awaited<ReturnType<typeof selectableTools>>

/** The tools that servers of the account can expose. */
export async function selectableTools(db: Db, accountId: string) {
  const custom = await listCustomToolRows(db, accountId)
  const ready = custom.filter(({ status }) => status === 'ready')
  return {
    /** The built-in tools, and `custom:<id>` of the ready custom tools. */
    valid: [...BUILT_IN_TOOLS.map(({ name }): string => name), ...ready.map(({ id }) => `custom:${id}`)],
    /** Explains why the first custom tool that is not ready cannot be selected. Null if there is none. */
    whyNotReady(names: readonly string[]): string | null {
      const asked = custom.find(({ id, status }) => status !== 'ready' && names.includes(`custom:${id}`))
      return asked ? explain(asked) : null
    },
  }
}

function explain({ displayName, status, error }: CustomToolRow): string {
  const tool = `The custom tool "${displayName}"`
  if (status === 'building') return `${tool} is still being built. Add it when it is ready.`
  return error === null ? `${tool} could not be built.` : `${tool} could not be built: ${error}`
}
