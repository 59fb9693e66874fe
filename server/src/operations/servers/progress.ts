import { countJobs } from '#store/jobs/queue.ts'
import { listSources } from '#store/sources/sources.ts'
import type { Handler, OperationDeps } from '../operation.ts'
import { progressOf } from './progress-of.ts'

export const getProgress: Handler<'servers.progress'> = async ({ deps, server }) => readProgress(deps, server.id)

/** Progress of a server. Public, so it contains ids and numbers, but no address, title or error text. */
export async function readProgress({ store, clock }: OperationDeps, serverId: string) {
  return progressOf(await listSources(store.read, serverId), await countJobs(store.read, serverId), clock())
}
