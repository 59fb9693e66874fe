import { setImmediate as nextTurn } from 'node:timers/promises'
import { type ListedServer, listServersAfter } from '#store/servers/servers.ts'
import type { CheckedCall, Handler } from '../operation.ts'
import { isoTime, serverStatus, summaryFields } from './present.ts'

/** Servers per slice: about 2 ms on SQLite, which blocks everything else. */
const SLICE = 100

export const listServers: Handler<'servers.list'> = async (call) => slices(call)

async function* slices({ deps, actor }: CheckedCall<'servers.list'>) {
  const { serverIds, accountId } = actor
  const now = await deps.store.now()
  const baseUrl = deps.baseUrl()
  let rows: ListedServer[] = []
  do {
    rows = await listServersAfter(deps.store.read, accountId, { now, after: rows.at(-1), limit: SLICE })
    const visible = serverIds ? rows.filter(({ id }) => serverIds.has(id)) : rows
    yield visible.map((server) => present(baseUrl, server))
    // Otherwise SQLite would read all slices in one turn of the event loop.
    await nextTurn()
  } while (rows.length === SLICE)
}

function present(baseUrl: string, server: ListedServer) {
  const { deletedAt, purgeAt, total } = server
  if (deletedAt === null || purgeAt === null) {
    return summaryFields(baseUrl, server, { total, status: serverStatus(server) })
  }
  const summary = summaryFields(baseUrl, server, { total, status: 'deleted' })
  return { ...summary, deletedAt: isoTime(deletedAt), purgeAt: isoTime(purgeAt) }
}
