import { BUILT_IN_TOOLS, MAX_TOOLS, MIN_TOOLS, kindsFor } from '@docent/contract/values/tools'
import { listCustomToolRows } from '#store/servers/custom-tools.ts'
import { listSources } from '#store/sources/sources.ts'
import type { Handler } from '../operation.ts'

export const getServerTools: Handler<'tools.get'> = async ({ deps, actor, server }) => {
  const sources = await listSources(deps.store.read, server.id)
  const custom = await listCustomToolRows(deps.store.read, actor.accountId)
  const selected = JSON.parse(server.tools) as string[]
  return {
    serverId: server.id,
    slug: server.slug,
    tools: selected,
    available: BUILT_IN_TOOLS.map(({ name, title, description }) => ({
      name,
      title,
      description,
      inputSchema: deps.inputSchemaOf(name, sources),
      needs: kindsFor(name),
    })),
    customTools: custom.map(({ id, name, displayName, description, status, error }) => ({
      id,
      name,
      displayName,
      description,
      status,
      ...(error === null ? {} : { error }),
    })),
    ...fewToolsNotice(selected.length),
    minTools: MIN_TOOLS,
    maxTools: MAX_TOOLS,
  }
}

/** After the deletion of a custom tool, a server can have fewer tools than a selection needs. It keeps working. */
export function fewToolsNotice(count: number): { notice?: string } {
  if (count >= MIN_TOOLS) return {}
  const has = count === 0 ? 'no tool' : count === 1 ? 'one tool' : `${count} tools`
  return { notice: `This server has ${has} and goes on working. Its next selection needs at least ${MIN_TOOLS}.` }
}
