import { RETENTION_DAYS } from '@docent/contract/limits'
import { DocentError } from '#errors.ts'
import { cancelIngests, enqueue } from '#store/jobs/queue.ts'
import { markDeleted } from '#store/servers/servers.ts'
import type { Handler } from '../operation.ts'
import { isoTime } from './present.ts'

const DAY_MS = 24 * 60 * 60 * 1000

export const deleteServer: Handler<'servers.delete'> = async ({ deps, server }) => {
  const deletedAt = await deps.store.now()
  const purgeAt = deletedAt + RETENTION_DAYS * DAY_MS
  await deps.store.transaction(async (tx) => {
    const deleted = await markDeleted(tx, server.id, deletedAt, purgeAt)
    if (!deleted) throw new DocentError('server_not_found')
    await cancelIngests(tx, server.id)
    const about = { serverId: server.id, dedupeKey: purgeKey(server.id), runAt: purgeAt }
    await enqueue(tx, 'purge', { serverId: server.id }, about)
  })
  return { ok: true, retentionDays: RETENTION_DAYS, deletedAt: isoTime(deletedAt), purgeAt: isoTime(purgeAt) }
}

/** Dedupe key of a server's purge job, by which it is found on restore. */
export const purgeKey = (serverId: string): string => `purge:${serverId}`
