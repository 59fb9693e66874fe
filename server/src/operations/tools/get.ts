import { BUILT_IN_TOOLS, MAX_TOOLS, MIN_TOOLS, kindsFor } from '@docent/contract/tools'
import { listCustomToolRows } from '#store/servers/custom-tools.ts'
import { listSources } from '#store/sources/sources.ts'
import type { Handler } from '../operation.ts'

export const getServerTools: Handler<'tools.get'> = async ({ deps, actor, server }) => {
  const sources = await listSources(deps.store.read, server.id)
  const custom = await listCustomToolRows(deps.store.read, actor.accountId)
  return {
    serverId: server.id,
    slug: server.slug,
    tools: JSON.parse(server.tools) as string[],
    available: BUILT_IN_TOOLS.map(({ name, title, description }) => ({
      name,
      title,
      description,
      inputSchema: deps.inputSchemaOf(name, sources),
      needs: kindsFor(name),
    })),
    customTools: custom.map(({ id, name, displayName, description, status }) => ({
      id,
      name,
      displayName,
      description,
      status,
    })),
    minTools: MIN_TOOLS,
    maxTools: MAX_TOOLS,
  }
}
