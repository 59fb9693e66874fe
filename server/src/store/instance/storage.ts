import { sql } from 'kysely'
import type { Db } from '#store/db.ts'
import { liveSources } from '#store/sources/live-sources.ts'

/** Everything on the instance, in numbers. */
export type StorageFacts = {
  accounts: number
  servers: number
  sources: number
  pages: number
  textCharacters: number
  indexBytes: number
  uploadBytes: number
}

export async function readStorage(db: Db): Promise<StorageFacts> {
  const [accounts, servers, sources, segments, uploads] = await Promise.all([
    db
      .selectFrom('accounts')
      .select(sql<number>`count(*)`.as('count'))
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('servers')
      .select(sql<number>`count(*)`.as('count'))
      .where('deletedAt', 'is', null)
      .executeTakeFirstOrThrow(),
    liveSources(db)
      .select([
        sql<number>`count(*)`.as('count'),
        sql<number>`coalesce(sum(pages_indexed), 0)`.as('pages'),
        sql<number>`coalesce(sum(text_bytes), 0)`.as('characters'),
      ])
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('segments')
      .select(sql<number>`coalesce(sum(bytes), 0)`.as('bytes'))
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('uploads')
      .select(sql<number>`coalesce(sum(bytes), 0)`.as('bytes'))
      .executeTakeFirstOrThrow(),
  ])
  return {
    accounts: accounts.count,
    servers: servers.count,
    sources: sources.count,
    pages: sources.pages,
    textCharacters: sources.characters,
    indexBytes: segments.bytes,
    uploadBytes: uploads.bytes,
  }
}
