import { MAX_UPLOAD_BYTES } from '@docent/contract/limits'
import { MAX_VERSIONS } from '@docent/contract/values/sources'
import { DocentError, found } from '#errors.ts'
import { enqueueAnew } from '#jobs/enqueue-ingest.ts'
import { newId } from '#lib/ids.ts'
import { NOTHING_UPLOADED, splitVersion, uploadUrl } from '#lib/addresses/page-address.ts'
import { defined } from '#lib/objects.ts'
import { compareVersions, parseVersion } from '#lib/text/version.ts'
import type { Db, Store } from '#store/db.ts'
import { type ServerRow, lockServer } from '#store/servers/servers.ts'
import {
  type SourceRow,
  findSource,
  insertSourceRow,
  listSources,
  newSourceRow,
  updateSourceRow,
} from '#store/sources/sources.ts'
import { adoptUpload, deleteUpload, insertUpload, insertUploadPart } from '#store/sources/uploads.ts'
import type { CheckedCall, Handler, BodyBytes } from '../operation.ts'
import { presentSource } from './present-source.ts'
import { refuseFurtherSource } from './add.ts'

export const uploadSource: Handler<'sources.upload'> = async (call, { name, file, label }) => {
  const { deps, server, body } = call
  const { store } = deps
  const [sourceName, version] = splitVersion(name)
  const url = uploadUrl(sourceName)
  // Checked before the body is received, and again under the lock.
  await findOwn(store.read, call, url)
  const now = deps.clock()
  const received = await receive(store, body, { server, fileName: file ?? name, now })
  let replaced: string[] = []
  try {
    const answer = await store.transaction(async (tx) => {
      found(await lockServer(tx, server.id), 'server_not_found')
      const known = await findOwn(tx, call, url)
      const sourceId = known?.id ?? (await insert(tx, { serverId: server.id, url, createdAt: now }))
      const versions = JSON.stringify(withVersion(known?.versions, version))
      await updateSourceRow(tx, sourceId, { versions, ...defined({ label }) })
      replaced = await adoptUpload(tx, { ...received, sourceId, version })
      await enqueueAnew(tx, { id: sourceId, serverId: server.id })
      return presentSource(tx, found(await findSource(tx, server.id, sourceId), 'source_not_found'), false)
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

/** The versions of a source with another one, the newest first. Throws if there are too many. */
function withVersion(known = '[]', version: string): string[] {
  const versions = [...new Set([...(JSON.parse(known) as string[]), ...(version === '' ? [] : [version])])]
  if (versions.length > MAX_VERSIONS) {
    const text = `A source has at most ${MAX_VERSIONS} versions. Remove one of them in its settings first.`
    throw new DocentError('invalid_input', { text })
  }
  return versions.sort(newestFirst)
}

function newestFirst(a: string, b: string): number {
  const [one, other] = [parseVersion(a), parseVersion(b)]
  return one && other ? compareVersions(other, one) : 0
}

/** The existing source of this upload, if any. Throws a 402 if the server may not have it. */
async function findOwn(db: Db, call: CheckedCall<'sources.upload'>, url: string): Promise<SourceRow | undefined> {
  const sources = await listSources(db, call.server.id)
  const own = sources.find((source) => source.url === url)
  // A replaced upload does not count against the limit.
  const others = sources.filter((source) => source !== own)
  await refuseFurtherSource(db, call, others)
  return own
}

async function insert(tx: Db, given: { serverId: string; url: string; createdAt: number }): Promise<string> {
  const row = newSourceRow({ ...given, id: newId('src'), type: 'docs', label: null })
  await insertSourceRow(tx, row)
  return row.id
}

/** SQLite takes about 5 ms to write a part of 2 MB, which blocks everything else. */
const PART_BYTES = 2_000_000

type About = { server: Pick<ServerRow, 'id' | 'accountId'>; fileName: string; now: number }

/** Streams the body to the store. Throws `400 upload_empty` or `413 payload_too_large`, and then keeps nothing. */
async function receive(store: Store, { declared, chunks }: BodyBytes, { server, fileName, now }: About) {
  const { write } = store
  if (declared !== null && declared > MAX_UPLOAD_BYTES) throw new DocentError('payload_too_large')
  const id = newId('upl')
  await insertUpload(write, { id, serverId: server.id, fileName, createdAt: now })
  try {
    let bytes = 0
    let part = 0
    for await (const piece of inParts(chunks)) {
      bytes += piece.byteLength
      await insertUploadPart(store, { id, accountId: server.accountId, part: part++ }, piece)
    }
    if (bytes === 0) throw new DocentError('upload_empty')
    return { id, bytes }
  } catch (error) {
    await deleteUpload(write, id)
    throw error
  }
}

async function* inParts(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = []
  let [held, total] = [0, 0]
  for await (const chunk of chunks) {
    total += chunk.byteLength
    if (total > MAX_UPLOAD_BYTES) throw new DocentError('payload_too_large')
    waiting.push(chunk)
    held += chunk.byteLength
    if (held < PART_BYTES) continue
    yield Buffer.concat(waiting)
    waiting = []
    held = 0
  }
  if (held > 0) yield Buffer.concat(waiting)
}

/** Creates the source of an announced upload. There is nothing to index until it arrives. */
export async function announceUpload(tx: Db, name: string, given: Pick<SourceRow, 'serverId' | 'createdAt'>) {
  const row = newSourceRow({ id: newId('src'), url: uploadUrl(name), type: 'docs', label: null, ...given })
  await insertSourceRow(tx, { ...row, crawlStatus: 'error', crawlError: NOTHING_UPLOADED })
}
