import { newId } from '#lib/ids.ts'
import { NOTHING_UPLOADED, uploadUrl } from '#lib/addresses/page-address.ts'
import type { Db } from '#store/db.ts'
import { insertSourceRow, newSourceRow } from '#store/sources/sources.ts'

/** Creates the source of an announced upload. There is nothing to index until it arrives. */
export async function announceUpload(
  tx: Db,
  { serverId, name, createdAt }: { serverId: string; name: string; createdAt: number },
): Promise<void> {
  const row = newSourceRow({ id: newId('src'), serverId, url: uploadUrl(name), type: 'docs', label: null, createdAt })
  await insertSourceRow(tx, { ...row, crawlStatus: 'error', crawlError: NOTHING_UPLOADED })
}
