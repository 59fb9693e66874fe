import type { Db } from '#store/db.ts'
import { readCitations, writeCitations } from './citations.ts'

/** Calls read per statement: about 5 ms on SQLite, which blocks everything else. */
const AT_ONCE = 500

type Source = { id: string; serverId: string }
/** Place in a server's request log, which is ordered by time. */
export type Place = { at: number; seq: number }

/**
 * Removes a source's citations from the next calls of its server after `from`. Returns their number and the place of the
 * last call read, or null at the end of the log.
 */
export async function deleteCitations(
  db: Db,
  { id, serverId }: Source,
  from: Place,
): Promise<{ deleted: number; next: Place | null }> {
  const calls = await db
    .selectFrom('calls')
    .select(['seq', 'at', 'citations'])
    .where('serverId', '=', serverId)
    .where((is) => is.or([is('at', '>', from.at), is.and([is('at', '=', from.at), is('seq', '>', from.seq)])]))
    .where('at', '>=', from.at)
    .orderBy('at')
    .orderBy('seq')
    .limit(AT_ONCE)
    .execute()
  let deleted = 0
  for (const { seq, citations } of calls) {
    if (!citations?.includes(id)) continue
    const all = readCitations(citations)
    const kept = all.filter(({ sourceId }) => sourceId !== id)
    deleted += all.length - kept.length
    await db
      .updateTable('calls')
      .set({ citations: writeCitations(kept) })
      .where('seq', '=', seq)
      .execute()
  }
  const last = calls.at(-1)
  return { deleted, next: calls.length === AT_ONCE && last ? { at: last.at, seq: last.seq } : null }
}
