import type { Db, Store } from '#store/db.ts'
import { deleteRows, isOneOf } from '#store/rows.ts'
import type { Place } from './object-store.ts'

type Deps = Pick<Store, 'blobs' | 'write'>

/** Objects per step. S3 deletes up to 1,000 at once. */
const AT_ONCE = 500
/** The tables that refer to objects. */
const TABLES = ['segmentParts', 'uploadParts', 'textPacks'] as const

/** Deletes the objects whose rows are gone. What an interruption leaves is deleted by the next call, on any node. */
export async function deleteUnusedObjects({ blobs, write }: Deps): Promise<void> {
  for (;;) {
    const rows = await write.selectFrom('objectDeletions').select('object').limit(AT_ONCE).execute()
    if (rows.length === 0) return
    const objects = rows.map(({ object }) => object)
    await blobs.delete(objects)
    await deleteRows(write, 'objectDeletions', { object: isOneOf(objects) })
  }
}

/** Of these objects, those to which a row refers. */
export async function usedObjects(db: Db, objects: readonly string[]): Promise<Set<string>> {
  const used = new Set<string>()
  for (let from = 0; from < objects.length; from += AT_ONCE)
    for (const table of TABLES) {
      const some = objects.slice(from, from + AT_ONCE)
      const rows = await db.selectFrom(table).select('object').where('object', 'in', some).execute()
      for (const { object } of rows) if (object !== null) used.add(object)
    }
  return used
}

/** Deletes objects older than `before` that no row refers to: a process stopped between object and row. */
export async function sweepObjects(deps: Deps, before: number): Promise<void> {
  for (const place of deps.blobs.places) await sweepPlace(deps, place, before)
}

async function sweepPlace({ blobs, write }: Deps, place: Exclude<Place, 'database'>, before: number): Promise<void> {
  for await (const found of blobs.list(place)) {
    const old = found.filter(({ modifiedAt }) => modifiedAt < before).map(({ object }) => object)
    for (let from = 0; from < old.length; from += AT_ONCE) {
      const some = old.slice(from, from + AT_ONCE)
      const used = await usedObjects(write, some)
      await blobs.delete(some.filter((object) => !used.has(object)))
    }
  }
}
