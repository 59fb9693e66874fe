import type { Store } from '#store/db.ts'
import { findSourceRoom } from '#store/sources/sources.ts'
import { planOf } from './plans.ts'

/** Remaining text limit of a source under the plan of its server, in bytes. Empty for a plan without a limit. */
export async function crawlLimitsOf(
  { read }: Pick<Store, 'read'>,
  source: { id: string; serverId: string },
): Promise<{ textBytes?: number }> {
  const room = await findSourceRoom(read, source)
  const limit = room ? planOf(room.plan).sourceBytesPerServer : null
  return room && limit !== null ? { textBytes: Math.max(0, limit - room.otherBytes) } : {}
}
