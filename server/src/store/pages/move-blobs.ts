import { sql } from 'kysely'
import type { Store } from '#store/db.ts'
import type { Owner } from '#store/engine/blobs/blobs.ts'
import { deleteUnusedObjects } from '#store/engine/blobs/delete-objects.ts'
import { updateRows } from '#store/rows.ts'
import { type Moving, moveTexts } from './pack-texts.ts'

type Deps = Pick<Store, 'blobs' | 'write'>
type At = { id: string; part: number }

/**
 * Moves the bytes of segments, uploads and texts to another place while the service runs. A row has its old or its new
 * bytes at any moment. Rejects with the reason of the signal; another call moves the rest.
 */
export async function moveBlobs(store: Store, moving: Moving): Promise<void> {
  const { blobs, write } = store
  for (const table of ['segmentParts', 'uploadParts'] as const) {
    for (let at: At | undefined = { id: '', part: -1 }; at;) {
      moving.signal.throwIfAborted()
      at = await moveNext({ blobs, write }, table, at, moving)
    }
  }
  await moveTexts(store, moving)
  await deleteUnusedObjects({ blobs, write })
}

/** The tables with bytes: the column of the whole, and the way from there to the account. */
const WHOLES = {
  segmentParts: { column: 'segmentId', owner: sql`(select source_id from segments where id = segment_id)` },
  uploadParts: { column: 'uploadId', owner: sql`upload_id` },
} as const

/** Moves the first part after `at` that is elsewhere. Undefined if there is none. */
async function moveNext({ blobs, write }: Deps, table: keyof typeof WHOLES, at: At, { to, onMoved }: Moving) {
  const { column, owner } = WHOLES[table]
  const id = sql.ref<string>(column)
  const isElsewhere =
    to === 'database'
      ? sql<boolean>`object is not null`
      : sql<boolean>`(object is null or object not like ${`${to}:%`})`
  const row = await write
    .selectFrom(table)
    .selectAll()
    .select([id.as('id'), sql<string>`${owner}`.as('owner')])
    .where(sql<boolean>`(${id}, part) > (${at.id}, ${at.part})`)
    .where(isElsewhere)
    .orderBy(sql`${id}`)
    .orderBy('part')
    .limit(1)
    .executeTakeFirst()
  if (!row) return undefined
  const data = row.object === null ? row.data : new Uint8Array(row.objectBytes)
  // An object is absent if it was replaced meanwhile.
  if (row.object === null || (await blobs.read(row.object, data))) {
    const bytes = await blobs.save(data, () => ownerOf(write, row), to)
    const isMoved = await updateRows(write, table, { [column]: row.id, part: row.part, object: row.object }, bytes)
    if (isMoved) onMoved(data.byteLength)
    else if (bytes.object !== null) await blobs.delete([bytes.object])
  }
  return { id: row.id, part: row.part }
}

async function ownerOf(db: Store['write'], { id, owner }: { id: string; owner: string }): Promise<Owner> {
  const servers = sql`select server_id from sources where id = ${owner} union select server_id from uploads where id = ${id}`
  const query = db
    .selectFrom('servers')
    .select('accountId')
    .where(sql<boolean>`id in (${servers})`)
  return [(await query.executeTakeFirstOrThrow()).accountId, owner]
}
