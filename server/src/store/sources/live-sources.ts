import type { Db } from '#store/db.ts'

/** The sources of servers that are not deleted. */
export const liveSources = (db: Db) =>
  db.selectFrom('sources').innerJoin('servers', 'servers.id', 'sources.serverId').where('servers.deletedAt', 'is', null)
