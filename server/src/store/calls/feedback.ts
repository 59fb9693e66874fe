import type { Selectable } from 'kysely'
import type { Db } from '#store/db.ts'
import type { Schema } from '#store/schema.ts'

/** Saves a visitor's feedback on an answer. Replaces earlier feedback on the same call. */
export async function saveFeedback(db: Db, feedback: Selectable<Schema['callFeedback']>): Promise<void> {
  const { configurationId, helpful, at } = feedback
  await db
    .insertInto('callFeedback')
    .values(feedback)
    .onConflict((conflict) =>
      conflict
        .column('callId')
        .doUpdateSet({ helpful, at })
        .where('callFeedback.configurationId', '=', configurationId),
    )
    .execute()
}

/** Whether the answers helped, by id of the call. Feedback through another configuration than the call's is ignored. */
export async function feedbackOfCalls(db: Db, callIds: readonly string[]): Promise<Map<string, boolean>> {
  if (callIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('callFeedback')
    .innerJoin('calls', (join) =>
      join
        .onRef('calls.id', '=', 'callFeedback.callId')
        .onRef('calls.configurationId', '=', 'callFeedback.configurationId'),
    )
    .select(['callId', 'helpful'])
    .where('callId', 'in', callIds)
    .execute()
  return new Map(rows.map(({ callId, helpful }) => [callId, helpful === 1]))
}

/** Deletes feedback from before `at` whose call is not in the log. */
export async function deleteStrayFeedback(db: Db, at: number): Promise<void> {
  await db
    .deleteFrom('callFeedback')
    .where('at', '<', at)
    .where((is) =>
      is.not(is.exists(is.selectFrom('calls').select('calls.id').whereRef('calls.id', '=', 'callFeedback.callId'))),
    )
    .execute()
}
