import type { Db } from '#store/db.ts'
import { deleteRows, findRow, saveRow } from '#store/rows.ts'

/** A question that a source answers, with the section that answers it and the title of its page. */
export type StoredQuestion = { question: string; url: string; title: string }

/** Questions that were tried on a version of a source: its segments, as its row has them. */
export type TriedQuestions = { segments: string; questions: readonly StoredQuestion[] }

/** Replaces the questions of a source. */
export const saveQuestions = (tx: Db, sourceId: string, { segments, questions }: TriedQuestions) =>
  saveRow(tx, 'sourceQuestions', ['sourceId'], { sourceId, segments, questions: JSON.stringify(questions) })

/** The version of a source whose questions were tried. Undefined if none was. */
export const versionWithQuestions = async (db: Db, sourceId: string): Promise<string | undefined> =>
  (await findRow(db, 'sourceQuestions', { sourceId }))?.segments

/** Deletes the questions of a source whose content is withdrawn. */
export const deleteQuestions = (tx: Db, sourceId: string) => deleteRows(tx, 'sourceQuestions', { sourceId })

/** The questions of some sources, the first of each before the second of any. */
export async function questionsOfSources(
  db: Db,
  sourceIds: readonly string[],
): Promise<(StoredQuestion & { sourceId: string })[]> {
  if (sourceIds.length === 0) return []
  const rows = await db.selectFrom('sourceQuestions').selectAll().where('sourceId', 'in', sourceIds).execute()
  const bySource = new Map(rows.map(({ sourceId, questions }) => [sourceId, JSON.parse(questions) as StoredQuestion[]]))
  const inTurns = sourceIds.flatMap((sourceId) =>
    (bySource.get(sourceId) ?? []).map((question, turn) => ({ turn, question: { ...question, sourceId } })),
  )
  return inTurns.toSorted((one, other) => one.turn - other.turn).map(({ question }) => question)
}
