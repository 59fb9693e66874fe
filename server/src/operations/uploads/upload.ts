import { DocentError } from '#errors.ts'
import { enqueueAnew } from '#jobs/enqueue-ingest.ts'
import { newId } from '#lib/ids.ts'
import { uploadUrl } from '#lib/addresses/page-address.ts'
import type { Db } from '#store/db.ts'
import { lockServer } from '#store/servers/servers.ts'
import {
  type SourceRow,
  findSource,
  insertSourceRow,
  listSources,
  newSourceRow,
  updateSourceRow,
} from '#store/sources/sources.ts'
import { adoptUpload, deleteUpload } from '#store/sources/uploads.ts'
import type { CheckedCall, Handler } from '../operation.ts'
import { presentSource } from '../sources/present.ts'
import { refuseFurtherSource } from '../sources/source-limits.ts'
import { receive } from './receive.ts'

export const uploadSource: Handler<'sources.upload'> = async (call, { name, file, label }) => {
  const { deps, server, body } = call
  const { store } = deps
  const url = uploadUrl(name)
  // Checked before the body is received, and again under the lock.
  await findOwn(store.read, call, url)
  const now = deps.clock()
  const received = await receive(store, body, { serverId: server.id, fileName: file ?? name, now })
  let replaced: string[] = []
  try {
    const answer = await store.transaction(async (tx) => {
      if (!(await lockServer(tx, server.id))) throw new DocentError('server_not_found')
      const known = await findOwn(tx, call, url)
      const sourceId = known?.id ?? (await insert(tx, { serverId: server.id, url, createdAt: now }))
      if (label !== undefined) await updateSourceRow(tx, sourceId, { label })
      replaced = await adoptUpload(tx, { ...received, sourceId })
      await enqueueAnew(tx, { id: sourceId, serverId: server.id })
      const source = await findSource(tx, server.id, sourceId)
      if (!source) throw new DocentError('source_not_found')
      return presentSource(tx, source, false)
    })
    deps.wakeWorker({ taken: true })
    return answer
  } catch (error) {
    replaced = [received.id]
    throw error
  } finally {
    for (const id of replaced) await deleteUpload(store.write, id)
  }
}

/** The existing source of this upload, if any. Throws a 402 if the server may not have it. */
async function findOwn(
  db: Db,
  { deps, actor, server }: CheckedCall<'sources.upload'>,
  url: string,
): Promise<SourceRow | undefined> {
  const sources = await listSources(db, server.id)
  const own = sources.find((source) => source.url === url)
  // A replaced upload does not count against the limit.
  const others = sources.filter((source) => source !== own)
  const asked = { actor, serverId: server.id, sources: others, now: deps.clock(), baseUrl: deps.baseUrl() }
  await refuseFurtherSource(db, asked)
  return own
}

async function insert(tx: Db, given: { serverId: string; url: string; createdAt: number }): Promise<string> {
  const row = newSourceRow({ ...given, id: newId('src'), type: 'docs', label: null })
  await insertSourceRow(tx, row)
  return row.id
}
