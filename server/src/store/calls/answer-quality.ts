import { sql } from 'kysely'
import type { Db } from '#store/db.ts'
import { type CallFilter, matching } from './read-calls.ts'

/** Logged calls that the sources did not answer, by period since 1970, oldest first. */
export async function unansweredByPeriod(
  db: Db,
  serverId: string,
  { periodMs, ...filter }: CallFilter & { periodMs: number },
): Promise<{ period: number; calls: number }[]> {
  // Both engines divide integers without a remainder.
  const period = sql<number>`at / ${sql.lit(periodMs)}`
  return matching(db, serverId, filter)
    .select([period.as('period'), sql<number>`count(*)`.as('calls')])
    .where('unanswered', '=', sql.lit(1))
    .groupBy(period)
    .orderBy('period')
    .execute()
}

/** Logged calls of widgets whose visitor said that the answer helped, or that it did not. */
export async function countFeedback(
  db: Db,
  serverId: string,
  filter: CallFilter,
): Promise<{ helpful: number; notHelpful: number }> {
  const rows = await matching(db, serverId, filter)
    .innerJoin('callFeedback', (join) =>
      join
        .onRef('callFeedback.callId', '=', 'calls.id')
        .onRef('callFeedback.configurationId', '=', 'calls.configurationId'),
    )
    // Feedback comes after its call. Few calls have any.
    .where('callFeedback.at', '>=', filter.since)
    .select(['callFeedback.helpful', sql<number>`count(*)`.as('calls')])
    .groupBy('callFeedback.helpful')
    .execute()
  const callsOf = (value: number) => rows.find(({ helpful }) => helpful === value)?.calls ?? 0
  return { helpful: callsOf(1), notHelpful: callsOf(0) }
}
