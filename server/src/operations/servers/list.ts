import { listServers as listRows } from '#store/list-servers.ts'
import type { Handler } from '../operation.ts'
import { isoTime, serverStatus, summaryFields } from './present.ts'

export const listServers: Handler<'servers.list'> = async ({ deps, actor }) => {
  const rows = await listRows(deps.store.read, actor.accountId, await deps.store.now())
  const { serverIds } = actor
  const visible = serverIds ? rows.filter(({ id }) => serverIds.has(id)) : rows
  const baseUrl = deps.baseUrl()
  return visible.map((server) => {
    const { deletedAt, purgeAt, total } = server
    if (deletedAt === null || purgeAt === null) {
      return summaryFields(baseUrl, server, { total, status: serverStatus(server) })
    }
    const summary = summaryFields(baseUrl, server, { total, status: 'deleted' })
    return { ...summary, deletedAt: isoTime(deletedAt), purgeAt: isoTime(purgeAt) }
  })
}
