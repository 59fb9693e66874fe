import { listServers as listRows } from '#store/servers.ts'
import { sourceStates } from '#store/sources.ts'
import type { Handler } from '../operation.ts'
import { isoTime, serverStatus, summaryFields } from './present.ts'

const NO_SOURCES = { total: 0, complete: 0, error: 0, busy: 0 }

export const listServers: Handler<'servers.list'> = async ({ deps, actor }) => {
  const rows = await listRows(deps.store.read, actor.accountId, await deps.store.now())
  const states = await sourceStates(deps.store.read, actor.accountId)
  const visible = rows.filter(({ id }) => !actor.serverIds || actor.serverIds.has(id))
  return visible.map((server) => {
    const sources = states.get(server.id) ?? NO_SOURCES
    const summary = summaryFields(deps.baseUrl(), server, sources.total)
    if (server.deletedAt === null || server.purgeAt === null) return { ...summary, status: serverStatus(sources) }
    return { ...summary, status: 'deleted', deletedAt: isoTime(server.deletedAt), purgeAt: isoTime(server.purgeAt) }
  })
}
