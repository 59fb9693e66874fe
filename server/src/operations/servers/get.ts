import { readRedaction } from '#store/servers/served.ts'
import type { ServerRow } from '#store/servers/servers.ts'
import { listSources } from '#store/sources/sources.ts'
import type { Handler, OperationDeps } from '../operation.ts'
import { presentSources } from '../sources/present.ts'
import { configSnippet, summaryFields } from './present.ts'
import { readProgress } from './progress.ts'

export const getServer: Handler<'servers.get'> = async ({ deps, server }) => presentDetail(deps, server)

/** A live server with everything its owner may see. */
export async function presentDetail(deps: OperationDeps, server: ServerRow) {
  const sources = await listSources(deps.store.read, server.id)
  const { status } = await readProgress(deps, server.id)
  return {
    ...summaryFields(deps.baseUrl(), server, { total: sources.length, status }),
    configSnippet: configSnippet(deps.baseUrl(), server),
    tools: JSON.parse(server.tools) as string[],
    refresh: server.refresh,
    structuredOutput: server.structuredOutput === 1,
    redaction: readRedaction(server.redaction),
    sources: await presentSources(deps.store.read, server.id, sources),
  }
}
