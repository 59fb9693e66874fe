import { sql } from 'kysely'
import type { Db } from './db.ts'
import { prepared } from './prepared.ts'

/**
 * Digits of one time in a row's `hits`. Times of one length compare as text as they do as numbers, in every collation,
 * so that both engines can look into the row without parsing it.
 */
const DIGITS = 13

export type Take = { key: string; limit: number; count: number; now: number; windowMs: number }

const shiftIn = prepared(['', '', 0, 0, '', 0, '', 0, ''], (db, given) => {
  const [key, hits, expiresAt, rest, added, position, latest, samePosition, ahead] = given
  return db
    .insertInto('rateLimits')
    .values({ key, hits, expiresAt })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet((is) => ({
          hits: sql<string>`substr(rate_limits.hits, ${rest}) || ${added}`,
          expiresAt: is.ref('excluded.expiresAt'),
        }))
        .where((is) =>
          is.or([
            is(sql`substr(rate_limits.hits, ${position}, ${sql.lit(DIGITS)})`, '<=', latest),
            // By a clock that has been put back since.
            is(sql`substr(rate_limits.hits, ${samePosition}, ${sql.lit(DIGITS)})`, '>', ahead),
          ]),
        ),
    )
    .returning('key')
})

/**
 * Takes `count` hits from the window of `key`, all or none, in one atomic statement. A row holds the times of the last
 * `limit` hits, oldest first: those to be let through may pass if what they push out lies a whole window back.
 */
export async function takeHits(db: Db, { key, limit, count, now, windowMs }: Take): Promise<boolean> {
  const added = timeText(now).repeat(count)
  const unused = timeText(0).repeat(limit - count)
  const [rest, position] = [DIGITS * count + 1, DIGITS * (count - 1) + 1]
  const [latest, ahead] = [timeText(now - windowMs), timeText(now + windowMs)]
  const row = [key, unused + added, now + windowMs, rest, added] as const
  return (await shiftIn(db, [...row, position, latest, position, ahead])).length > 0
}

/**
 * Takes the latest hit of `key` back, in one atomic statement. Of several requests at once one gives back the other's
 * hit, which moves the window by the time between them at most.
 */
export async function giveBackHit(db: Db, key: string): Promise<void> {
  await db
    .updateTable('rateLimits')
    .set({ hits: sql<string>`${timeText(0)} || substr(hits, 1, length(hits) - ${sql.lit(DIGITS)})` })
    .where('key', '=', key)
    .execute()
}

const hitAt = prepared([0, ''], (db, [position, key]) =>
  db
    .selectFrom('rateLimits')
    .select(sql<string>`substr(hits, ${position}, ${sql.lit(DIGITS)})`.as('at'))
    .where('key', '=', key),
)

/** The time that stands at place `index` among the last hits of `key`, oldest first; null when there are none. */
export async function readHit(db: Db, key: string, index: number): Promise<number | null> {
  const [row] = await hitAt(db, [DIGITS * index + 1, key])
  return row ? Number(row.at) : null
}

/** Deletes rows whose window has passed. */
export async function deleteExpiredRateLimits(db: Db, now: number): Promise<void> {
  await db.deleteFrom('rateLimits').where('expiresAt', '<', now).execute()
}

/** Deletes the limits whose key begins so. */
export async function deleteRateLimits(tx: Db, prefix: string): Promise<void> {
  const pattern = `${prefix.replace(/[\\%_]/g, '\\$&')}%`
  await sql`delete from rate_limits where key like ${pattern} escape '\\'`.execute(tx)
}

const timeText = (at: number): string => String(Math.max(0, at)).padStart(DIGITS, '0')
