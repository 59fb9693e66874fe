import { sql } from 'kysely'
import type { Db } from '#store/db.ts'
import type { Take } from '#store/engine/local-windows.ts'
import { prepared, preparedRow } from '#store/engine/prepared.ts'
import { below, deleteRows, updateRows } from '#store/rows.ts'

/** Digits per time in a row's `hits`. Times of equal length compare as text like numbers, in every collation. */
const DIGITS = 13

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
            // Written by a clock that has been set back since.
            is(sql`substr(rate_limits.hits, ${samePosition}, ${sql.lit(DIGITS)})`, '>', ahead),
          ]),
        ),
    )
    .returning('key')
})

/** Takes `count` requests, all or none. They pass if the ones that they push out are at least a window old. */
export async function takeHits(db: Db, { key, limit, count, now, windowMs }: Take): Promise<boolean> {
  const added = timeText(now).repeat(count)
  const unused = timeText(0).repeat(limit - count)
  const [rest, position] = [DIGITS * count + 1, DIGITS * (count - 1) + 1]
  const [latest, ahead] = [timeText(now - windowMs), timeText(now + windowMs)]
  const row = [key, unused + added, now + windowMs, rest, added] as const
  return (await shiftIn(db, [...row, position, latest, position, ahead])).length > 0
}

/** Returns the latest request of `key`, or a concurrent one, which shifts the window by the time between them. */
export async function giveBackHit(db: Db, key: string): Promise<void> {
  const hits = sql<string>`${timeText(0)} || substr(hits, 1, length(hits) - ${sql.lit(DIGITS)})`
  await updateRows(db, 'rateLimits', { key }, { hits })
}

const hitAt = preparedRow([0, ''], (db, [position, key]) =>
  db
    .selectFrom('rateLimits')
    .select(sql<string>`substr(hits, ${position}, ${sql.lit(DIGITS)})`.as('at'))
    .where('key', '=', key),
)

/** The time at position `index` among the last requests of `key`, oldest first, or null. */
export async function readHit(db: Db, key: string, index: number): Promise<number | null> {
  const row = await hitAt(db, DIGITS * index + 1, key)
  return row ? Number(row.at) : null
}

export const deleteExpiredRateLimits = (db: Db, now: number) => deleteRows(db, 'rateLimits', { expiresAt: below(now) })

export async function deleteRateLimits(tx: Db, prefix: string): Promise<void> {
  const pattern = `${prefix.replace(/[\\%_]/g, '\\$&')}%`
  await sql`delete from rate_limits where key like ${pattern} escape '\\'`.execute(tx)
}

const timeText = (at: number): string => String(Math.max(0, at)).padStart(DIGITS, '0')
