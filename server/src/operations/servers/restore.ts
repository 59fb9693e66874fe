import { planOf, planUrl } from '#auth/plans.ts'
import { DocentError } from '#errors.ts'
import { resumeIngest } from '#jobs/enqueue-ingest.ts'
import { cancelQueued } from '#store/jobs/queue.ts'
import { countLiveServers, findServer, lockAccount, markRestored } from '#store/servers/servers.ts'
import { listSources } from '#store/sources/sources.ts'
import type { Handler } from '../operation.ts'
import { purgeKey } from './delete.ts'
import { presentDetail } from './get.ts'

export const restoreServer: Handler<'servers.restore'> = async ({ deps, actor, server }) => {
  const { store } = deps
  if (server.deletedAt === null) return { ...(await presentDetail(deps, server)), unchanged: true }
  const now = await store.now()
  const restored = await store.transaction(async (tx) => {
    await lockAccount(tx, actor.accountId)
    const { servers: limit } = planOf(actor.plan)
    if (limit !== null && (await countLiveServers(tx, actor.accountId, limit)) >= limit) {
      throw new DocentError('server_limit', { fields: { limit, upgradeUrl: planUrl(deps.baseUrl()) } })
    }
    await cancelQueued(tx, purgeKey(server.id))
    if (!(await markRestored(tx, server.id, now))) throw new DocentError('server_not_found')
    for (const source of await listSources(tx, server.id)) await resumeIngest(tx, source)
    return findServer(tx, actor.accountId, server.id)
  })
  if (!restored) throw new DocentError('server_not_found')
  deps.wakeWorker()
  return presentDetail(deps, restored)
}
